/** How many campaigns can be compared side by side. */
export const fewestCompared = 2;
export const mostCompared = 5;

const param = 'ids';
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page that compares campaigns, within the project; null for too few or too many. */
export const comparisonOf = (ids: Iterable<string>): string | null => {
  const list = [...ids];
  const fits = list.length >= fewestCompared && list.length <= mostCompared;
  return fits ? `campaigns/compare?${param}=${list.join(',')}` : null;
};

/** The campaigns that the address names, each once; words that are no ids are left out. */
export const comparedIn = (params: URLSearchParams): string[] =>
  [...new Set((params.get(param) ?? '').split(',').filter((text) => id.test(text)))].slice(0, mostCompared);
