import {
  compileBlocks,
  type Design,
  type DesignNode,
  type DesignSettings,
  designVersion,
  readDesign,
} from '@postrider/core/content/templates/contract';
import type { Editor } from '@tiptap/core';
import type { Schema } from '@tiptap/pm/model';

/** A block of the editor as it is saved: its HTML for those who write HTML, and its nodes for this editor. */
export function savedFrom(
  editor: Editor,
  at: number,
  settings: DesignSettings,
): { body: string; design: Design } {
  const node = editor.state.doc.nodeAt(at)?.toJSON() as DesignNode | undefined;
  const content = node ? [node] : [];
  return {
    body: compileBlocks(content, settings),
    design: { version: designVersion, settings, content: { type: 'doc', content } },
  };
}

/** The nodes of a saved block. One that was saved as HTML, or by an editor that is not known here, becomes a block of HTML. */
export function nodesOf(schema: Schema, { body, design }: { body: string; design?: unknown }): DesignNode[] {
  const nodes = readDesign(design)?.content.content ?? [];
  const isKnown = nodes.length > 0 && nodes.every((node) => isNode(schema, node));
  return isKnown ? nodes : [{ type: 'html', attrs: { html: body } }];
}

/** Whether the editor can hold a node: its type, its formats and its content are of the schema. */
function isNode(schema: Schema, node: DesignNode): boolean {
  try {
    schema.nodeFromJSON(node).check();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
