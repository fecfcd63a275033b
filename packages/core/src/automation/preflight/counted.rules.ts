/** A number of contacts at the beginning of a sentence: `About 1,204 contacts are`. */
export const countedOf = (count: number, isEstimated: boolean, one: string, many: string): string =>
  `${isEstimated ? 'About ' : ''}${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
