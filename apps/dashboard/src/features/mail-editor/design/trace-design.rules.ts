import { compileDesign, type DesignNode, type MailDesign } from '@postrider/core/content/templates/contract';

/** The place of a node: the index of each child on the way from the document. */
export type NodePath = readonly number[];

/** The part of the compiled HTML that a node is responsible for. */
interface NodeRange {
  path: NodePath;
  start: number;
  end: number;
}

/** Characters for private use, which no email contains: the start of a node, the end of its number, and the end of the node. */
const [opened, numbered, closed] = ['\uE010', '\uE011', '\uE012'];
const marks = new RegExp(`${opened}(\\d+)${numbered}|${closed}`, 'g');

/**
 * Where each block and variable of a design is in its HTML.
 *
 * @returns the same HTML as without tracing; the ranges in the order of their ends, so that the innermost come first
 */
export function traceDesign(
  design: MailDesign,
  options: { subject: string; language: string },
): { html: string; ranges: NodeRange[] } {
  const paths = pathsOf(design.content);
  const marked: NodePath[] = [];
  const source = compileDesign(design, {
    ...options,
    mark(html, node) {
      const path = paths.get(node);
      if (!path) return html;
      marked.push(path);
      return `${opened}${marked.length - 1}${numbered}${html}${closed}`;
    },
  });
  const ranges: NodeRange[] = [];
  const open: { path: NodePath; start: number }[] = [];
  let html = '';
  let from = 0;
  for (const { 0: mark, 1: number, index } of source.matchAll(marks)) {
    html += source.slice(from, index);
    from = index + mark.length;
    const begun = number === undefined ? open.pop() : null;
    if (begun) ranges.push({ ...begun, end: html.length });
    else if (number !== undefined) open.push({ path: marked[Number(number)] ?? [], start: html.length });
  }
  return { html: html + source.slice(from), ranges };
}

function pathsOf(node: DesignNode): Map<DesignNode, NodePath> {
  const paths = new Map<DesignNode, NodePath>();
  const visit = ({ content = [] }: DesignNode, path: NodePath): void => {
    for (const [index, child] of content.entries()) {
      paths.set(child, [...path, index]);
      visit(child, [...path, index]);
    }
  };
  visit(node, []);
  return paths;
}

/** The innermost block or variable at an offset of the HTML; null around the blocks. */
export const pathAt = (ranges: readonly NodeRange[], offset: number): NodePath | null =>
  ranges.find(({ start, end }) => start <= offset && offset < end)?.path ?? null;
