import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Campaign } from '../../lib/api.ts';
import { type Draft, isSame, readValues } from '../../lib/draft.rules.ts';
import type { Failure } from '../../lib/failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { isTree, newTree } from '../common/filters/filter-tree.rules.ts';
import { incompleteFilters } from '../common/filters/incomplete-filters.ts';
import { draftOfAudience } from './audience-lines.rules.ts';
import {
  audienceTypeOf,
  type CampaignStart,
  isSameVersion,
  readCampaign,
  valuesOf,
} from './campaign-input.rules.ts';
import { isStorable } from './steps.rules.ts';
import { useSaveCampaign } from './use-save-campaign.ts';

type Written = Omit<Draft, 'at'>;

const pauseMs = 1_500;
const retryMs = 5_000;

interface ComposerOptions {
  /** The name of the draft that this browser keeps. */
  draftName: string;
  start: CampaignStart;
  /** The stored campaign; null before the first save. */
  record: Campaign | null;
  container: RefObject<HTMLElement | null>;
}

/** What is written in the composer, and whether it is saved. A draft that exists is saved after each pause in typing. */
export function useComposer({ draftName, start, record, container }: ComposerOptions) {
  const kept = useDraft(draftName);
  const { known, accept, save: store } = useSaveCampaign(record);
  const [tree, setTree] = useState(() =>
    isTree(start.audienceCondition) ? draftOfAudience(start.audienceCondition) : newTree(),
  );
  const latestTree = useRef(tree);
  latestTree.current = tree;
  /** Changes that are not saved; null without any. */
  const [written, setWritten] = useState<Written | null>(null);
  const [isSaving, setSaving] = useState(false);
  /** Why the form was refused when a save was asked for: shown at the fields. */
  const [refusal, setRefusal] = useState<Failure | null>(null);
  /** Why the last automatic save failed, and of what: shown in the bar, so that typing is not interrupted. */
  const [quiet, setQuiet] = useState<{ failure: Failure; of: Written } | null>(null);
  const [newer, setNewer] = useState<Campaign | null>(null);

  const draft = useMemo(
    () => ({
      ...kept,
      store(now: Written) {
        kept.store(now);
        setWritten((before) => (before && isSame(before, now) ? before : now));
      },
      clear() {
        kept.clear();
        setWritten(null);
      },
    }),
    [kept],
  );

  const present = useCallback((): Written => {
    const form = container.current?.querySelector('form');
    return { values: form ? readValues(new FormData(form)) : {}, extra: latestTree.current };
  }, [container]);

  /** What was in the form when it was last saved. */
  const base = useRef<Written | null>(null);
  useEffect(() => {
    base.current = present();
  }, [present]);

  /** @param isAsked false for an automatic save @returns the saved campaign; null if it was not saved */
  const save = async (isAsked: boolean): Promise<Campaign | null> => {
    const sent = present();
    const missing =
      audienceTypeOf(sent.values.audienceType) === 'FILTERED'
        ? incompleteFilters(latestTree.current, 'audienceCondition')
        : null;
    if (missing) {
      setRefusal(missing);
      return null;
    }
    setSaving(true);
    const result = await store(readCampaign(sent.values, latestTree.current, start.templateId));
    setSaving(false);
    if (result.kind === 'newer') {
      setNewer(result.newest);
      return null;
    }
    if (result.kind === 'refused') {
      if (isAsked) setRefusal(result.failure);
      else setQuiet({ failure: result.failure, of: sent });
      return null;
    }
    setRefusal(null);
    setQuiet(null);
    setNewer(null);
    base.current = sent;
    // What was typed while the request was under way is not part of what was saved.
    const now = present();
    if (isSame(now, sent)) {
      kept.saved();
      setWritten(null);
    } else {
      setWritten(now);
    }
    return result.campaign;
  };

  const latestSave = useRef(save);
  latestSave.current = save;
  const isUnreachable = quiet?.failure.code === 'UNREACHABLE';
  const isStuck = written !== null && quiet?.of !== undefined && isSame(quiet.of, written) && !isUnreachable;
  const isDue =
    written !== null &&
    known?.status === 'DRAFT' &&
    newer === null &&
    !isSaving &&
    !isStuck &&
    isStorable(written.values, tree);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what is written starts the pause again
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => void latestSave.current(false), isUnreachable ? retryMs : pauseMs);
    return () => clearTimeout(timer);
  }, [isDue, written, quiet]);

  return {
    draft,
    known,
    values: written?.values ?? valuesOf(known ?? start),
    /** What is in the form at this moment: `values` follow a pause in typing. */
    valuesNow: () => present().values,
    tree,
    setTree,
    isUnsaved: written !== null,
    isSaving,
    refusal,
    problem: quiet?.failure ?? null,
    /** Shows the problem of the automatic save at its field. */
    showProblem: () => setRefusal(quiet && { ...quiet.failure }),
    newer,
    /** Follows a change of the campaign's status; a version that was saved elsewhere is not replaced without asking. */
    follow(present: Campaign) {
      if (known !== null && isSameVersion(known, present)) accept(present);
      else setNewer(present);
    },
    /** Keeps what is written here; the next save replaces the newer version. */
    keepMine(newest: Campaign) {
      accept(newest);
      setNewer(null);
    },
    /** Saves unless nothing was changed. @returns the campaign as stored; null if it could not be saved */
    saved: (): Promise<Campaign | null> =>
      known !== null && base.current !== null && isSame(present(), base.current)
        ? Promise.resolve(known)
        : save(true),
    save: () => save(true),
  };
}

export type ComposerState = ReturnType<typeof useComposer>;
