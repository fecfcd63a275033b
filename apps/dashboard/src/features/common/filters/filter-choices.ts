import { isStepActivity, stepActivities } from '@postrider/core/audience/segments/contract';
import { textIn } from '@postrider/core/audience/topics/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import type { OptionGroup } from '../../../ui/combobox.tsx';
import { activities, type FilterDraft, keyOfStep, pathOfStep, type ValueType } from './filter-tree.rules.ts';
import { activityNames, kindNames, stepActivityNames } from './words.ts';

/** A step that may have been taken before. */
export interface StepChoice {
  key: string;
  name: string;
  /** whether it sends an email */
  sends: boolean;
  /** what its output has, by path */
  outputs: readonly { path: string; label: string }[];
  /** where more is found than is known: the path before it, and what it is of */
  open: readonly { path: string; label: string }[];
}

/** What a condition of a workflow can look at besides the contact. */
export interface ExecutionChoices {
  context: readonly { name: string; type: ValueType | undefined }[];
  /** the nearest step first */
  steps: readonly StepChoice[];
}

interface FilterChoices {
  /** The keys of contact data in this project. */
  keys: { name: string; type: ValueType }[];
  events: string[];
  segments: { id: string; name: string }[];
  topics: { key: string; name: string }[];
  /** absent where filters are of contacts alone */
  execution?: ExecutionChoices | undefined;
  /** Where less can be asked: the fields, how a new one is named, and the operators. */
  only?: {
    groups: readonly OptionGroup[];
    create: (name: string) => OptionGroup;
    operators: readonly string[];
  };
}

const none: FilterChoices = { keys: [], events: [], segments: [], topics: [] };

export const FilterChoicesContext = createContext<FilterChoices>(none);
export const useFilterChoices = () => useContext(FilterChoicesContext);

/** These seldom change; a builder with many rows fetches them once. */
const freshMs = 60_000;
const prefix = 'data.';
const typeOfField = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  list: 'list',
} as const;

/** @param except a segment to leave out: the one being edited cannot refer to itself */
export function useLoadFilterChoices(except?: string): FilterChoices {
  const api = useApi();
  const fields = useQuery({ ...api.contacts.listFields.queryOptions(), staleTime: freshMs });
  const events = useQuery({ ...api.events.names.queryOptions(), staleTime: freshMs });
  const segments = useQuery({ ...api.segments.list.queryOptions(), staleTime: freshMs });
  const topics = useQuery({ ...api.topics.list.queryOptions({}), staleTime: freshMs });
  const { language } = useProject();
  return {
    keys: (fields.data?.fields ?? [])
      .filter(({ field }) => field.startsWith(prefix))
      .map(({ field, type }) => ({ name: field.slice(prefix.length), type: typeOfField[type] })),
    events: events.data?.eventNames ?? [],
    segments: (segments.data ?? []).filter(({ id }) => id !== except).map(({ id, name }) => ({ id, name })),
    topics: (topics.data ?? []).map(({ key, name }) => ({ key, name: textIn(name, language) })),
  };
}

/** The type of the values of a field, given as in the API; undefined while it is unknown. */
export function typeIn({ keys, execution }: FilterChoices, field: string): ValueType | undefined {
  const named = (list: readonly { name: string; type: ValueType | undefined }[], prefix: string) =>
    field.startsWith(prefix) ? list.find(({ name }) => name === field.slice(prefix.length))?.type : undefined;
  return named(keys, 'data.') ?? named(execution?.context ?? [], 'context.');
}

const standard = [
  'email',
  'subscribed',
  'status',
  'consentBasis',
  'consentedAt',
  'createdAt',
  'updatedAt',
] as const;

/** What an execution has, as fields of the API. */
const executionGroups = ({ context, steps }: ExecutionChoices): OptionGroup[] => [
  { label: 'Context', options: context.map(({ name }) => ({ value: `context.${name}`, label: name })) },
  {
    label: 'Email of step',
    options: steps
      .filter(({ sends }) => sends)
      .flatMap(({ key, name }) =>
        stepActivities.map((activity) => ({
          value: `step.${key}.${activity}`,
          label: `“${name}” ${stepActivityNames[activity]}`,
        })),
      ),
  },
  {
    label: 'Step',
    options: steps.flatMap(({ key, name, outputs }) =>
      outputs.map(({ path, label }) => ({ value: `step.${key}.${path}`, label: `“${name}”: ${label}` })),
    ),
  },
];

/** Everything to filter by, as fields of the API. */
export const fieldGroups = ({ keys, events, segments, topics, execution }: FilterChoices): OptionGroup[] => [
  ...(execution ? executionGroups(execution).filter(({ options }) => options.length > 0) : []),
  { label: 'Contact fields', options: keys.map(({ name }) => ({ value: `data.${name}`, label: name })) },
  { label: 'Contact', options: standard.map((value) => ({ value, label: kindNames[value] })) },
  {
    label: 'Receives the topic',
    options: topics.map(({ key, name }) => ({ value: `topic.${key}`, label: name })),
  },
  {
    label: 'Email activity',
    options: activities.map((value) => ({
      value: `email.${value}`,
      label: `Email ${lower(activityNames[value] ?? value)}`,
    })),
  },
  { label: 'Events', options: events.map((name) => ({ value: `event.${name}`, label: name })) },
  { label: 'Segments', options: segments.map(({ id, name }) => ({ value: `segment.${id}`, label: name })) },
];

/** Fields and events may be named before they exist, and answers of other services have fields of their own. */
export const newFields = (name: string, execution?: ExecutionChoices): OptionGroup => ({
  label: 'Not used yet',
  options: [
    { value: `data.${name}`, label: `Contact field “${name}”` },
    { value: `event.${name}`, label: `Event “${name}”` },
    ...(execution
      ? [
          { value: `context.${name}`, label: `Context “${name}”` },
          ...execution.steps.flatMap(({ key, open }) =>
            open.map(({ path, label }) => ({
              value: `step.${key}.${path}.${name}`,
              label: `${label}: ${name}`,
            })),
          ),
        ]
      : []),
  ],
});

const lower = (text: string): string => text.toLowerCase();

/** The field of a filter in words; empty while a name is missing. */
export function fieldInWords(
  { kind, name }: FilterDraft,
  { segments, topics, execution }: FilterChoices,
): string {
  switch (kind) {
    case 'context':
      return name === '' ? '' : `Context ${name}`;
    case 'step':
      return name === '' ? '' : stepInWords(name, execution?.steps ?? []);
    case 'property':
      return name;
    case 'data':
      return name;
    case 'event':
      return name === '' ? '' : `Event ${name}`;
    case 'topic':
      return name === '' ? '' : `Receives ${topics.find(({ key }) => key === name)?.name ?? name}`;
    case 'activity':
      return `Email ${lower(activityNames[name] ?? name)}`;
    case 'segment':
      return `Segment ${segments.find(({ id }) => id === name)?.name ?? name}`;
    default:
      return kindNames[kind];
  }
}

function stepInWords(name: string, steps: readonly StepChoice[]): string {
  const key = keyOfStep(name);
  const path = pathOfStep(name);
  const step = steps.find((each) => each.key === key);
  const title = `“${step?.name ?? key}”`;
  if (isStepActivity(path)) return `Email of ${title} ${stepActivityNames[path]}`;
  return `${title}: ${step?.outputs.find((each) => each.path === path)?.label ?? path}`;
}
