/** The state of a list in the address of its page: `?q=ada&status=sent&sort=name&dir=asc&page=2`. */
export const listParams = { search: 'q', page: 'page', sort: 'sort', direction: 'dir' } as const;

export type Direction = 'asc' | 'desc';

/** The page as a number from 1; 1 for anything else in the address. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get(listParams.page));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** The value of a filter if it is one of its options; the address may have been edited. */
export const optionIn = <Value extends string>(
  params: URLSearchParams,
  name: string,
  options: readonly { value: Value }[],
): Value | '' => options.find(({ value }) => value === params.get(name))?.value ?? '';

/** The address after a change. Other results than before are shown from their first page. */
export function withParams(
  params: URLSearchParams,
  changes: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  if (!(listParams.page in changes)) next.delete(listParams.page);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The order after a click on the head of a column: first its natural order, then the opposite. */
export const nextDirection = (isSorted: boolean, now: Direction, first: Direction): Direction =>
  isSorted ? (now === 'asc' ? 'desc' : 'asc') : first;
