import type {
  BlockAttributes,
  BlockDefinition,
  BlockType,
  BlockValues,
  DesignNode,
  DesignSettings,
} from '@postrider/core/content/templates/contract';
import type { NodeConfig } from '@tiptap/core';
import type { ComponentType } from 'react';

/** DOM as ProseMirror describes it: tag, attributes, children; 0 is where the content goes. */
export type Dom = [string, ...(Record<string, string> | string | 0 | Dom)[]];

/** What the insert menu and the slash menu offer of a block. */
export interface BlockInsertion {
  /** the name of the block if it is left out */
  label?: string;
  node: DesignNode;
}

export interface PanelProps<Values, Attributes> {
  values: Values;
  /** their definitions, which have the limits of numbers */
  attributes: Attributes;
  settings: DesignSettings;
  /** how many nodes the block holds */
  count: number;
  /** Null sets back to what applies without a value. */
  onChange: (change: { readonly [Name in keyof Values]?: Values[Name] | null }) => void;
}

export type BlockPanelProps<Type extends BlockType> = PanelProps<BlockValues<Type>, BlockAttributes<Type>>;

interface View<Type, Values, Attributes> {
  type: Type;
  /** where it can be: as a block, beside those that hold blocks, in a row of columns, or in a text */
  group: 'block' | 'section' | 'cell' | 'inline';
  /** what it holds, as an expression of ProseMirror; null if it is one piece, which is edited beside the document */
  content: string | null;
  /** Its element in the document. */
  draw(values: Values): Dom;
  /** the controls beside the document; null if nothing can be set */
  Panel: ComponentType<PanelProps<Values, Attributes>> | null;
  /** empty if it is only made with another block, or by typing */
  insertions: readonly BlockInsertion[];
  /** what its node does besides */
  node?: Pick<NodeConfig, 'renderText' | 'addInputRules'>;
}

/** Everything the editor shows of one type of block. */
export type BlockView<Type extends BlockType> = View<Type, BlockValues<Type>, BlockAttributes<Type>>;

/** The view of a block whose type is only known at run time. */
export type AnyBlockView = View<
  BlockType,
  ReturnType<BlockDefinition['read']>,
  BlockDefinition['attributes']
>;

/** The view of each block. A file in `blocks` adds its own, as extensions of TipTap add their commands. */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared in the files of the views
export interface ViewsOfBlocks {}
