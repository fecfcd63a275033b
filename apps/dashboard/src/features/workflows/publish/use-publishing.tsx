import { type ReactNode, useState } from 'react';
import { useApiClient, type Workflow, type WorkflowDefinition } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { stampOf, useEditedCache } from '../canvas/use-edited-workflow.ts';
import { writeDraft } from '../canvas/write-draft.ts';
import { type Publication, PublishDialog } from './publish-dialog.tsx';

interface Publishing {
  /** Asks before the draft is published. */
  publishDraft: () => void;
  /** Asks before an earlier version is published again. */
  publishVersion: (version: number, definition: WorkflowDefinition) => void;
  dialog: ReactNode;
}

interface Asked extends Publication {
  /** what was live when it was asked */
  former: Workflow;
}

interface PublishingProps {
  live: Workflow;
  /** the draft if there is one, else the live definition */
  edited: Workflow;
  /** Shows a step; absent where there is no canvas. */
  onSelect?: (stepId: string) => void;
}

/** Publishing with its dialog. What was live before can be published again from the message about it. */
export function usePublishing({ live, edited, onSelect }: PublishingProps): Publishing {
  const client = useApiClient();
  const announce = useAnnounce();
  const { keep } = useEditedCache(live.id);
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (publication: Publication) => setAsked({ ...publication, former: live });
  const takeBack = async (former: Workflow) => {
    try {
      const definition = await versionOf(client, former);
      if (definition) return ask({ version: former.version, definition });
      // A version that nobody entered went with the next one.
      ask({ version: null, definition: keep(await writeDraft(client, former.id, former)) });
    } catch (error) {
      announce(failureOf(error).message, 'note');
    }
  };
  return {
    publishDraft: () => ask({ version: null, definition: edited }),
    publishVersion: (version, definition) => ask({ version, definition }),
    dialog: asked && (
      <PublishDialog
        {...asked}
        // The draft may change while it is looked at.
        definition={asked.version === null && edited.draft ? edited : asked.definition}
        live={live}
        stamp={stampOf(edited)}
        {...(onSelect && { onSelect })}
        onPublished={(version) => {
          setAsked(null);
          announce(`Version ${version} is live`, 'done', {
            label: 'Undo',
            run: () => void takeBack(asked.former),
          });
        }}
        onClose={() => setAsked(null)}
      />
    ),
  };
}

/** The definition of the version that was live, if it is still there. */
async function versionOf(
  { workflows }: ReturnType<typeof useApiClient>,
  { id, version }: Workflow,
): Promise<WorkflowDefinition | null> {
  if (version === null) return null;
  try {
    return (await workflows.getVersion.query({ id, version })).definition;
  } catch (error) {
    if (failureOf(error).code === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}
