import { isReferring } from '../../../audience/segments/filters.rules.ts';
import { maxFilterDepth } from '../../../audience/segments/filters.schema.ts';

/** References of filters by name (behaviour B14.4), in place of the ids by which a project stores them. */

export type NamedKind = 'segment' | 'campaign' | 'workflow' | 'template';

export interface NamedReference {
  kind: NamedKind;
  /** an id, or a name with its kind: `segment:vip` */
  reference: string;
  /** in the document */
  path: string;
}

/** Another spelling of a reference. */
export type Respell = (given: NamedReference) => string;

const kinds = { campaignId: 'campaign', workflowId: 'workflow', templateId: 'template' } as const;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const each = (list: unknown, map: (value: unknown, index: number) => unknown): unknown =>
  Array.isArray(list) ? list.map(map) : list;

/**
 * A tree whose references are spelt differently. It need not have been read before: what has not the form of a tree stays, and is
 * refused by its reader.
 *
 * @param path of the tree, for messages
 */
function respellTree(tree: unknown, path: string, respell: Respell, depth = 1): unknown {
  if (!isObject(tree) || depth > maxFilterDepth) return tree;
  return {
    ...tree,
    groups: each(tree['groups'], (group, index) => {
      if (!isObject(group)) return group;
      const at = `${path}.groups.${index}`;
      return {
        ...group,
        ...(group['filters'] === undefined
          ? {}
          : {
              filters: each(group['filters'], (filter, n) =>
                respellFilter(filter, `${at}.filters.${n}`, respell),
              ),
            }),
        ...(group['conditions'] === undefined
          ? {}
          : { conditions: respellTree(group['conditions'], `${at}.conditions`, respell, depth + 1) }),
      };
    }),
  };
}

/**
 * A value with other spellings of the references in its trees, wherever these are: a tree itself, or the configuration of a step. Its depth is
 * that of a body.
 *
 * @param path of the value, for messages
 */
export function respellTrees(value: unknown, path: string, respell: Respell): unknown {
  if (Array.isArray(value)) return value.map((one, n) => respellTrees(one, `${path}.${n}`, respell));
  if (!isObject(value)) return value;
  if (value['groups'] !== undefined) return respellTree(value, path, respell);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, respellTrees(one, `${path}.${key}`, respell)]),
  );
}

function respellFilter(filter: unknown, path: string, respell: Respell): unknown {
  if (!isObject(filter) || typeof filter['field'] !== 'string') return filter;
  const { field, where } = filter;
  if (field.startsWith('segment.'))
    return {
      ...filter,
      field: respell({ kind: 'segment', reference: field.slice('segment.'.length), path: `${path}.field` }),
    };
  if (field.startsWith('segment:'))
    return { ...filter, field: respell({ kind: 'segment', reference: field, path: `${path}.field` }) };
  if (!field.startsWith('email.') || where === undefined) return filter;
  return {
    ...filter,
    where: each(where, (condition, n) => respellCondition(condition, `${path}.where.${n}`, respell)),
  };
}

function respellCondition(condition: unknown, path: string, respell: Respell): unknown {
  if (!isObject(condition) || typeof condition['property'] !== 'string') return condition;
  const { property, value } = condition;
  if (!isReferring(property)) return condition;
  const kind = kinds[property];
  const spelt = (given: unknown, at: string): unknown =>
    typeof given === 'string' ? respell({ kind, reference: given, path: at }) : given;
  return {
    ...condition,
    value: Array.isArray(value)
      ? value.map((given, n) => spelt(given, `${path}.value.${n}`))
      : spelt(value, `${path}.value`),
  };
}
