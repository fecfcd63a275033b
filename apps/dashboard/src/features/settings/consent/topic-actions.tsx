import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Topic, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import { Confirm, Dialog } from '../../../ui/dialog.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { isGeneral, nameOfTopic } from '../../common/topics/topic-words.rules.ts';
import { TopicForm } from './topic-form.tsx';
import { useRefreshTopics } from './use-refresh-topics.ts';

/** Edits, archives and deletes a topic. */
export function TopicActions({ topic }: { topic: Topic }) {
  const { id, archived } = topic;
  const api = useApi();
  const announce = useAnnounce();
  const refresh = useRefreshTopics();
  const name = nameOfTopic(topic, useProject().language);
  const [asked, setAsked] = useState<'edit' | 'archive' | null>(null);
  const update = useMutation({
    ...api.topics.update.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(null);
      announce('Saved');
    },
  });
  const remove = useMutation({
    ...api.topics.delete.mutationOptions(),
    async onSuccess() {
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  const failure = useFailure(update.error);
  const ask = (what: 'edit' | 'archive') => () => {
    update.reset();
    setAsked(what);
  };
  const deletion = useDeleteRecord({
    label: `“${name}”`,
    noun: 'topic',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: 'Its key becomes free. You can’t delete a topic that is in use; to keep it, archive it.',
  });
  return (
    <ActionMenu
      small
      label={`Actions for ${name}`}
      actions={[
        {
          label: 'Edit',
          run: ask('edit'),
          dialog: asked === 'edit' && (
            <Dialog title={`Edit “${name}”`} onClose={() => setAsked(null)} wide>
              <TopicForm
                label="Topic"
                topic={topic}
                failure={failure}
                action="Save"
                pending={update.isPending}
                onSubmit={({ key: _fixed, ...fields }) => update.mutate({ id, ...fields })}
                onClose={() => setAsked(null)}
              />
            </Dialog>
          ),
        },
        !isGeneral(topic) && {
          label: archived ? 'Use again' : 'Archive',
          run: ask('archive'),
          dialog: asked === 'archive' && (
            <Confirm
              title={archived ? `Use “${name}” again?` : `Archive “${name}”?`}
              action={archived ? 'Use again' : 'Archive'}
              pending={update.isPending}
              failure={update.error ? failureOf(update.error) : null}
              onConfirm={() => update.mutate({ id, archived: !archived })}
              onClose={() => setAsked(null)}
            >
              <p>
                {archived
                  ? 'Contacts have the choices that they made before.'
                  : 'Nothing can be sent under it any more, and recipients no longer see it. Their choices are kept.'}
              </p>
            </Confirm>
          ),
        },
        !isGeneral(topic) && deletion,
      ]}
    />
  );
}
