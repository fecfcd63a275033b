/** The trimmed text of a form field; undefined if it is empty. */
export const given = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};
