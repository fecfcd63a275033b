/** The hosts that a field holds: names, one a line or with commas or blanks between them. A whole address is read as its host. */
export const hostsIn = (text: string): string[] =>
  text.split(/[\s,;]+/).flatMap((word) => {
    const name = word.replace(/^https?:\/\//i, '').replace(/[/?#].*$/s, '');
    return name === '' ? [] : [name];
  });
