/** What a form field holds; an empty one counts as not given. */
export const given = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};
