import type { Tab } from '../html/code.ts';

/** Languages of samples in the order of their tabs: the folder of the whole programs, and what a highlighter calls it. */
export const sampleLanguages = [
  { folder: 'typescript', label: 'TypeScript', language: 'typescript' },
  { folder: 'python', label: 'Python', language: 'python' },
  { folder: 'go', label: 'Go', language: 'go' },
  { folder: 'php', label: 'PHP', language: 'php' },
  { folder: 'ruby', label: 'Ruby', language: 'ruby' },
  { folder: 'curl', label: 'curl', language: 'bash' },
] as const;

export type SampleFolder = (typeof sampleLanguages)[number]['folder'];

export const tabOf = (folder: SampleFolder, text: string): Tab => {
  const found = sampleLanguages.find((each) => each.folder === folder);
  return { label: found?.label ?? folder, language: found?.language ?? 'plaintext', text };
};
