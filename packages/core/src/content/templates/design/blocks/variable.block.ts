import { cleanExpression } from '../liquid.rules.ts';
import { text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

export const variableBlock = defineBlock({
  type: 'variable',
  label: 'Variable',
  inline: true,
  attributes: { expression: text() },
  compile(variable) {
    const expression = cleanExpression(variable.expression);
    return expression === '' ? '' : `{{${expression}}}`;
  },
});
