/** The words for yes and no in columns of a file (behaviour B4.5 "Import"): English ones, and yes and no in the languages of the product. */
const yes = [
  'true',
  'yes',
  'y',
  '1',
  'subscribed',
  'active',
  'ja',
  'oui',
  'sí',
  'si',
  'sì',
  'sim',
  'tak',
  'हाँ',
  'हां',
  'はい',
  '是',
];
const no = [
  'false',
  'no',
  'n',
  '0',
  'unsubscribed',
  'inactive',
  'nee',
  'nein',
  'non',
  'não',
  'nao',
  'nie',
  'नहीं',
  'いいえ',
  '否',
];

const meanings: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word) => [word.normalize(), true] as const),
  ...no.map((word) => [word.normalize(), false] as const),
]);

/** Longer than each of the words. */
const longest = 20;

/** Whether a cell says yes; null for other words. */
export const yesOrNo = (cell: string): boolean | null =>
  cell.length > longest ? null : (meanings.get(cell.trim().normalize().toLowerCase()) ?? null);
