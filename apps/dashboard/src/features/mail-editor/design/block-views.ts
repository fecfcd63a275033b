import { type BlockType, blockDefinition } from '@postrider/core/content/templates/contract';
import type { AnyBlockView, BlockView, ViewsOfBlocks } from './block-view.ts';

const found = import.meta.glob<AnyBlockView>('./blocks/*.tsx', { eager: true, import: 'view' });

/** The view of every block: what the files in `blocks` export. A block without one does not compile. */
const blockViews = Object.fromEntries(
  Object.values(found).map((view) => [view.type, view]),
) as unknown as ViewsOfBlocks satisfies { [Type in BlockType]: BlockView<Type> };

/** The view of a type that is only known at run time. */
export const blockView = (type: BlockType): AnyBlockView => blockViews[type] as AnyBlockView;

/** Whether a node is a block that holds others. */
export function holdsBlocks(type: string): boolean {
  const block = blockDefinition(type);
  return block !== undefined && blockView(block.type).content !== null;
}

/** Whether a node is a part of another block, such as a column of its row. */
export const isPart = (type: string): boolean => blockDefinition(type)?.part === true;
