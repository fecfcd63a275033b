import type { Found } from '../found.rules.ts';

/** The texts of an email in which something can be wrong. */
export type CheckedText = 'subject' | 'preheader' | 'body' | 'text';

/** What is wrong with a content, by the rule that says so. */
export interface Problem<Rule extends string = string> extends Omit<Found, 'field' | 'offset' | 'refusal'> {
  rule: Rule;
  field: CheckedText;
  /** null for all of the field */
  offset: number | null;
}

/** Problems of one rule that are named: an email from another program may have the same one in each of its images. */
export const mostOfRule = 100;

/** The problems of a list, of each rule no more than people look at. */
export function collectProblems<Item, Rule extends string>(
  items: Iterable<Item>,
  problemsOf: (item: Item) => readonly Problem<Rule>[],
): Problem<Rule>[] {
  const counts = new Map<Rule, number>();
  const problems: Problem<Rule>[] = [];
  for (const item of items) {
    for (const problem of problemsOf(item)) {
      const count = (counts.get(problem.rule) ?? 0) + 1;
      counts.set(problem.rule, count);
      if (count <= mostOfRule) problems.push(problem);
    }
  }
  return problems;
}
