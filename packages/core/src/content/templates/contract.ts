/** What every side may import of this area, browsers included: schemas, enums, limits and pure rules. */
export * from './blocks/blocks.schema.ts';
export type { BlockDefinition } from './design/blocks/block.rules.ts';
export * from './design/blocks/blocks.rules.ts';
export * from './design/compile.rules.ts';
export * from './design/default-design.rules.ts';
export * from './design/design.rules.ts';
export * from './design/liquid.rules.ts';
export * from './design.schema.ts';
export * from './email-content.schema.ts';
export * from './liquid-words.rules.ts';
export * from './template-reference.schema.ts';
export * from './templates.rules.ts';
export * from './templates.schema.ts';
export * from './versions/versions.schema.ts';
