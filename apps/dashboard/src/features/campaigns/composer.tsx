import { createCampaignInput } from '@postrider/core/automation/campaigns/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import { useMemo, useRef, useState } from 'react';
import type { Campaign } from '../../lib/api.ts';
import { withoutFields } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FieldRow, Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type TreeDraft, toTree } from '../common/filters/filter-tree.rules.ts';
import { TopicField } from '../common/topics/topic-field.tsx';
import { type DesignedContent, readContent } from '../mail-editor/content/content.rules.ts';
import { ContentFields } from '../mail-editor/editor/content-fields.tsx';
import { AudienceFields } from './audience-fields.tsx';
import {
  audienceTypeOf,
  type CampaignStart,
  isAudienceComplete,
  readCampaign,
} from './campaign-input.rules.ts';
import { CarefulProposal } from './careful-proposal.tsx';
import styles from './composer.module.css';
import { ComposerBar } from './composer-bar.tsx';
import { type ComposerAction, ComposerDialog } from './composer-dialog.tsx';
import { GoalField } from './goal-field.tsx';
import { LiveAudience } from './live-audience.tsx';
import { Review } from './review.tsx';
import { SendingOptions } from './sending-options.tsx';
import { StepList, StepSection } from './step-list.tsx';
import { isStorable, type Missing, missingOf } from './steps.rules.ts';
import { TestFields } from './tests/test-fields.tsx';
import { keyAt, setupOf, withVariant } from './tests/test-setup.rules.ts';
import { VariantDialog } from './tests/variant-dialog.tsx';
import { useComposer } from './use-composer.ts';
import { useLiveAudience } from './use-live-audience.ts';
import { useDraftFindings } from './use-preflight.ts';

interface ComposerProps {
  label: string;
  /** The name of the draft that this browser keeps. */
  draftName: string;
  start: CampaignStart;
  /** The stored campaign; null before the first save. */
  record: Campaign | null;
  /** The action to open at once, chosen before the campaign was stored. */
  initialAction?: ComposerAction | null;
  /** This page continues that of a new campaign. */
  isContinued?: boolean;
  /** Called after the first save, with the action that was chosen. */
  onCreated?: (campaign: Campaign, action: ComposerAction | null) => void;
  /** Loads the newest version and discards what is written here. */
  onReload?: () => void;
}

/** A campaign in one screen: audience, content and review, with a bar that says what is saved and holds the actions. */
export function Composer(props: ComposerProps) {
  const { label, draftName, start, record, onCreated, onReload } = props;
  const { initialAction = null, isContinued = false } = props;
  const container = useRef<HTMLDivElement>(null);
  const composer = useComposer({ draftName, start, record, container });
  const { draft, known, values, tree, newer } = composer;
  const [audienceType, setAudienceType] = useState(start.audienceType);
  const [action, setAction] = useState<ComposerAction | null>(initialAction);
  const [setup, setSetup] = useState(() => setupOf(start.test));
  /** The place of the variant that is being written, and the email of the campaign at its beginning. */
  const [edited, setEdited] = useState<{ index: number; campaign: DesignedContent } | null>(null);
  const shown = { ...values, audienceType };
  const audience = useLiveAudience(
    isAudienceComplete(shown, tree)
      ? {
          campaignId: known?.id,
          audienceType,
          segmentId: audienceType === 'SEGMENT' ? values.segmentId : undefined,
          audienceCondition: audienceType === 'FILTERED' ? toTree(tree) : undefined,
          type: readContent(values).type,
          topic: given(values.topic) ?? null,
          from: values.from ?? '',
        }
      : null,
  );
  const ruled = useDraftFindings(
    isStorable(shown, tree) ? readCampaign(shown, tree, start.templateId) : null,
  );
  const missing = missingOf(shown, tree, audience.data?.willSend ?? null);
  const failure = composer.refusal;
  const ofFields = useMemo(() => failure && withoutFields(failure, 'audienceCondition'), [failure]);

  const save = async (then: ComposerAction | null) => {
    const campaign = then === null ? await composer.save() : await composer.saved();
    if (campaign === null) return;
    if (record === null) onCreated?.(campaign, then);
    else setAction(then);
  };
  const open = (chosen: ComposerAction) => {
    if (chosen === 'preview') setAction(chosen);
    else void save(chosen);
  };
  const goTo = ({ field }: Missing) => {
    const control =
      container.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`) ??
      container.current?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]:not([type=hidden])`);
    const target = control ?? container.current?.querySelector<HTMLElement>('[data-step=content]');
    target?.focus();
    target?.scrollIntoView({ block: 'center' });
  };

  return (
    <div ref={container} className={styles.composer}>
      <StepList missing={missing} />
      {newer && (
        <NewerVersion newer={newer} onKeep={() => composer.keepMine(newer)} onReload={() => onReload?.()} />
      )}
      <Form
        label={label}
        failure={ofFields}
        draft={draft}
        extra={{ value: tree, restore: (value) => composer.setTree(value as TreeDraft) }}
        onSubmit={() => void save(null)}
      >
        <StepSection step="audience">
          <FieldRow>
            <TextField
              name="name"
              label="Name"
              defaultValue={start.name}
              hint="Only visible to your team."
              {...textLimits(createCampaignInput, 'name')}
              required
              autoFocus={start.name === ''}
            />
            <TextField
              name="description"
              label="Description"
              defaultValue={start.description ?? ''}
              {...textLimits(createCampaignInput, 'description')}
            />
          </FieldRow>
          <AudienceFields
            type={audienceType}
            onType={(type) => setAudienceType(audienceTypeOf(type))}
            segmentId={start.segmentId}
            tree={tree}
            onTree={composer.setTree}
            failures={failure?.fields ?? {}}
          />
          <LiveAudience audience={audience} />
        </StepSection>
        <StepSection step="content">
          <TopicField topic={start.topic} />
          <GoalField goalId={start.goalId} />
          <ContentFields content={start} problem={failure?.position ?? null} isCampaign />
          <TestFields
            setup={setup}
            onChange={setSetup}
            onEdit={(index) => setEdited({ index, campaign: readContent(composer.valuesNow()) })}
            subject={values.subject ?? start.subject}
            campaign={known}
            failures={failure?.fields ?? {}}
          />
          <CarefulProposal
            ruled={setup === null ? ruled : null}
            isChosen={values.careful === 'on'}
            onChoose={() => container.current?.querySelector<HTMLElement>('input[name=careful]')?.click()}
          />
          <SendingOptions start={start} />
        </StepSection>
        <StepSection step="review">
          <Review values={shown} missing={missing} audience={audience} ruled={ruled} onGoTo={goTo} />
        </StepSection>
        <ComposerBar
          takesFocus={isContinued && initialAction === null}
          composer={composer}
          isReady={missing.length === 0}
          onAction={open}
        />
      </Form>
      {edited !== null && (
        <VariantDialog
          variantKey={keyAt(edited.index)}
          campaign={edited.campaign}
          variant={setup?.variants[edited.index] ?? {}}
          onKeep={(variant) => {
            setSetup(withVariant(setup, edited.index, variant));
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {action && (
        <ComposerDialog
          action={action}
          campaign={known}
          content={readContent(composer.valuesNow())}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}

function NewerVersion({
  newer,
  onKeep,
  onReload,
}: {
  newer: Campaign;
  onKeep: () => void;
  onReload: () => void;
}) {
  const isOpen = newer.status === 'DRAFT' || newer.status === 'SCHEDULED';
  return (
    <Notice
      tone="bad"
      title={isOpen ? 'This campaign was changed somewhere else' : 'This campaign can no longer be edited'}
      action={
        <>
          <Button small onClick={onReload}>
            {isOpen ? 'Load the newer version' : 'View the campaign'}
          </Button>
          {isOpen && (
            <Button small kind="quiet" onClick={onKeep}>
              Keep mine
            </Button>
          )}
        </>
      }
    >
      <p>
        {isOpen
          ? 'Your changes are not saved. Load the newer version and lose them, or keep yours: the next save then replaces the newer version.'
          : 'It was sent or cancelled in the meantime. Your changes are kept in this browser only.'}
      </p>
    </Notice>
  );
}
