import { addressBlock } from './design/blocks/address.block.ts';
import { type DesignNode, readDesign } from './design/design.rules.ts';

/** Whether a design has an address block in which an address was entered. */
export function hasAddressBlock(design: unknown): boolean {
  const read = readDesign(design);
  return read !== null && holdsAddress(read.content);
}

/** Designs are stored as any program wrote them, so nothing of a node is certain. */
function holdsAddress(node: DesignNode | null): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === addressBlock.type) return addressBlock.read(node.attrs).text.trim() !== '';
  return Array.isArray(node.content) && node.content.some(holdsAddress);
}
