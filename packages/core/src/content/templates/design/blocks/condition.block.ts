import { cleanExpression } from '../liquid.rules.ts';
import { text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

/** Shows what it holds only to contacts of whom its test is true. */
export const conditionBlock = defineBlock({
  type: 'condition',
  label: 'Condition',
  attributes: { test: text('plan == "pro"') },
  compile(condition, { content, compileAll }) {
    const test = cleanExpression(condition.test);
    const inside = compileAll(content);
    return test === '' ? inside : `{% if ${test} %}\n${inside}\n{% endif %}`;
  },
});
