/** The targets that references may have. */
export interface Targets {
  /** Section numbers of docs/behaviour.md: `B2`, `B2.5`. */
  sections: ReadonlySet<string>;
  /** Paths of all Markdown files, from the root of the repository. */
  documents: ReadonlySet<string>;
}

export interface DeadReference {
  /** from 1 */
  line: number;
  reference: string;
}

/** The numbers of a document's headings, such as `## B2.5 Filter tree`. */
export const sectionsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^#+ (B\d+(?:\.\d+)?)\b/gm)].map(([, section = '']) => section));

/** `B2.5` anywhere; a number without a dot only where it is unambiguous. */
const sections = /\bB\d{1,2}\.\d{1,2}\b|(?<=[Bb]ehaviour |\()B\d{1,2}\b(?!\.)/g;
const decisions = /\b[Dd]ecision (\d{3})\b|\(see (\d{3})\)/g;
const documents = /(?<![\w./<>*{}-])[\w./-]*\w\.md\b/g;

/**
 * References without a target: section numbers of docs/behaviour.md, numbers of decisions, and names of Markdown files.
 *
 * @param path of the file the text is from, which its links are relative to
 */
export function deadReferences(path: string, text: string, targets: Targets): DeadReference[] {
  return text.split('\n').flatMap((content, index) => {
    const dead = [
      ...matches(content, sections).filter((section) => !targets.sections.has(section)),
      ...matches(content, decisions).filter((number) => !hasDecision(number, targets)),
      ...matches(content, documents).filter((document) => !hasDocument(document, path, targets)),
    ];
    return dead.map((reference) => ({ line: index + 1, reference }));
  });
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(
    ([whole, ...groups]) => groups.find((group) => group !== undefined) ?? whole,
  );

const hasDecision = (number: string, targets: Targets): boolean =>
  [...targets.documents].some((document) => document.startsWith(`docs/decisions/${number}-`));

/**
 * A document is named by its path from the root or from the referring file, or by its name in docs. What begins with `/docs/` is the address
 * of a page, which the build of the documentation checks.
 */
function hasDocument(name: string, path: string, { documents: known }: Targets): boolean {
  if (name.startsWith('/docs/')) return true;
  const beside = new URL(name, `file:///${path}`).pathname.slice(1);
  return known.has(name) || known.has(beside) || known.has(`docs/${name}`);
}
