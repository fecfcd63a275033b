import { cleanExpression } from '../liquid.rules.ts';
import { flag, text } from './attributes.rules.ts';
import { defineBlock } from './block.rules.ts';

/** Shows what it holds only to contacts of whom its test is true, or only to those of whom it is not. */
export const conditionBlock = defineBlock({
  type: 'condition',
  label: 'Condition',
  attributes: { test: text('plan == "pro"'), hides: flag() },
  compile(condition, { content, compileAll }) {
    const test = cleanExpression(condition.test);
    const inside = compileAll(content);
    const tag = condition.hides ? 'unless' : 'if';
    return test === '' ? inside : `{% ${tag} ${test} %}\n${inside}\n{% end${tag} %}`;
  },
});
