export interface Picture {
  room: string;
  world: string;
  look: string;
  file: string;
}

/** A page with one row per room and data, and the looks beside each other. Names come from this repository, so nothing is escaped. */
export function sheetOf(pictures: readonly Picture[]): string {
  const rows = Map.groupBy(pictures, ({ room, world }) => `${room}, ${world}`);
  const figures = [...rows].sort(([a], [b]) => a.localeCompare(b)).map(([name, row]) => rowOf(name, row));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body{font:14px system-ui;margin:24px}h2{font-size:15px}div{display:flex;gap:12px;align-items:start}img{height:420px;border:1px solid #ccc}</style>
${figures.join('\n')}</html>`;
}

const rowOf = (name: string, row: readonly Picture[]): string =>
  `<h2>${name}</h2><div>${row.map(({ file, look }) => `<a href="${file}"><img src="${file}" alt="${look}" loading="lazy"></a>`).join('')}</div>`;
