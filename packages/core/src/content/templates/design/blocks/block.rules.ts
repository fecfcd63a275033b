import type { DesignNode, DesignSettings } from '../design.rules.ts';
import type { Attribute } from './attributes.rules.ts';

type AnyAttributes = Readonly<Record<string, Attribute>>;

/** The attributes of a block as they apply. */
type Values<Attributes extends AnyAttributes> = {
  readonly [Name in keyof Attributes]: ReturnType<Attributes[Name]['read']>;
};

/** What a block is compiled with besides its own attributes. */
interface Surroundings {
  settings: DesignSettings;
  /** the nodes that it holds */
  content: readonly DesignNode[];
  /** The space that it has, in pixels: Outlook does not make an image narrower than it says to be. */
  width: number;
  /** The HTML of nodes that it holds. @param width the space that they have, if it is less than that of the block */
  compileAll(nodes: readonly DesignNode[], width?: number): string;
}

interface Block<Type extends string, Attributes extends AnyAttributes> {
  /** the name of its nodes in a design */
  readonly type: Type;
  /** its displayed name */
  readonly label: string;
  /** whether it is a part of another block, which cannot be moved or removed by itself */
  readonly part?: boolean;
  /** whether it is part of a line of text, like a word */
  readonly inline?: boolean;
  /** in the order in which a node stores them */
  readonly attributes: Attributes;
  /** Its HTML in the email. */
  compile(values: Values<Attributes>, surroundings: Surroundings): string;
}

/** The definition of one block of the visual editor, for all sides. How the editor shows it is its view in the dashboard. */
export interface BlockDefinition<
  Type extends string = string,
  Attributes extends AnyAttributes = AnyAttributes,
> extends Block<Type, Attributes> {
  /** The only way to read the attributes of a node: what is compiled, drawn and set is the same. */
  read(attrs: DesignNode['attrs']): Values<Attributes>;
}

/** Defines a block. */
export const defineBlock = <const Type extends string, Attributes extends AnyAttributes>(
  block: Block<Type, Attributes>,
): BlockDefinition<Type, Attributes> => ({
  ...block,
  read: (attrs) =>
    Object.fromEntries(
      Object.entries(block.attributes).map(([name, attribute]) => [name, attribute.read(attrs?.[name])]),
    ) as Values<Attributes>,
});
