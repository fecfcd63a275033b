import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { formatTotal } from '../../lib/format.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { type FilterDraft, isComplete, type TreeDraft, toTree } from '../common/filters/filter-tree.rules.ts';
import styles from './audience-lines.module.css';
import {
  idOf,
  kindOf,
  type LineKind,
  type AudienceLines as Lines,
  lineKinds,
  lineOf,
  type Side,
  treeOfLine,
  treeOfLines,
} from './audience-lines.rules.ts';

const kindNames: Record<LineKind, string> = {
  segment: 'In the segment',
  sent: 'Got the campaign',
  opened: 'Opened the campaign',
  clicked: 'Clicked in the campaign',
  cancelled: 'Missed the cancelled campaign',
};

const sides: Record<Side, { title: string; none: string; add: string }> = {
  include: { title: 'Send to', none: 'All contacts', add: 'Add contacts' },
  exclude: { title: 'Except', none: 'No one', add: 'Leave out contacts' },
};

interface AudienceLinesProps {
  lines: Lines;
  onChange: (tree: TreeDraft) => void;
  /** what the form was refused for */
  problems: readonly string[];
}

/** Segments and campaigns that are included and excluded, with the contacts of each. */
export function AudienceLines({ lines, onChange, problems }: AudienceLinesProps) {
  const choices = useChoices();
  const change = (side: Side, next: FilterDraft[]) => onChange(treeOfLines({ ...lines, [side]: next }));
  return (
    <div className={styles.sides}>
      {(Object.keys(sides) as Side[]).map((side) => {
        const { title, none, add } = sides[side];
        const own = lines[side];
        // An audience without any line would be no filter.
        const isLast = lines.include.length + lines.exclude.length === 1;
        return (
          <fieldset key={side} className={styles.side}>
            <legend>{title}</legend>
            {own.length === 0 && <p className={styles.none}>{none}</p>}
            {own.map((line, index) => (
              <Line
                key={line.key}
                line={line}
                label={`${title}, ${index + 1}`}
                choices={choices}
                onChange={(kind, id) =>
                  change(
                    side,
                    own.map((each) => (each.key === line.key ? lineOf(side, kind, id, line.key) : each)),
                  )
                }
                {...(!isLast && {
                  onRemove: () =>
                    change(
                      side,
                      own.filter(({ key }) => key !== line.key),
                    ),
                })}
              />
            ))}
            <Button
              kind="quiet"
              small
              icon="plus"
              onClick={() => change(side, [...own, lineOf(side, 'segment', '')])}
            >
              {add}
            </Button>
          </fieldset>
        );
      })}
      {problems.length > 0 && <p className={styles.problem}>{[...new Set(problems)].join('; ')}</p>}
    </div>
  );
}

interface LineProps {
  line: FilterDraft;
  label: string;
  choices: ReturnType<typeof useChoices>;
  onChange: (kind: LineKind, id: string) => void;
  onRemove?: () => void;
}

function Line({ line, label, choices, onChange, onRemove }: LineProps) {
  const kind = kindOf(line) ?? 'segment';
  const id = idOf(line);
  const isSegment = kind === 'segment';
  const options = isSegment ? choices.segments : choices.campaigns;
  const noun = isSegment ? 'Segment' : 'Campaign';
  return (
    <div className={styles.line}>
      <Select
        aria-label={`${label}: who`}
        value={kind}
        options={lineKinds.map((value) => ({ value, label: kindNames[value] }))}
        // Another segment is no campaign.
        onChange={(next) => onChange(next, isSegment === (next === 'segment') ? id : '')}
      />
      <Combobox
        aria-label={`${label}: ${noun.toLowerCase()}`}
        placeholder={`Select a ${noun.toLowerCase()}`}
        groups={[{ label: `${noun}s`, options }]}
        value={id}
        isField
        text={options.find(({ value }) => value === id)?.label ?? (id === '' ? '' : noun)}
        onChange={(next) => onChange(kind, next)}
      />
      <LineCount line={line} />
      {onRemove && (
        <Button kind="quiet" small onClick={onRemove} aria-label={`Remove ${label}`}>
          <Icon name="cross" size={14} />
        </Button>
      )}
    </div>
  );
}

const pauseMs = 500;
/** Counting all of a million contacts takes too long while an audience is edited. */
const countTo = 10_000;

function LineCount({ line }: { line: FilterDraft }) {
  const settled = useDebounced(line, pauseMs);
  const tree = treeOfLine(settled);
  const { data } = useQuery({
    ...useApi().contacts.list.queryOptions({ limit: 1, filter: JSON.stringify(toTree(tree)), countTo }),
    enabled: isComplete(tree),
    placeholderData: keepPreviousData,
  });
  const isKnown = data !== undefined && isComplete(tree);
  return (
    <output className={styles.count} aria-label="Matching contacts">
      {isKnown && formatTotal(data.total, countTo)}
    </output>
  );
}

const staleTime = 60_000;
const mostCampaigns = 100;

/** The segments of the project, and its newest campaigns. */
function useChoices() {
  const api = useApi();
  const segments = useQuery({ ...api.segments.list.queryOptions(), staleTime });
  const campaigns = useQuery({ ...api.campaigns.list.queryOptions({ pageSize: mostCampaigns }), staleTime });
  const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return {
    segments: (segments.data ?? []).map(option),
    campaigns: (campaigns.data?.data ?? []).filter(({ sentAt }) => sentAt !== null).map(option),
  };
}
