import {
  type DocumentStep,
  type DocumentTransition,
  inOrder,
  type WorkflowDocument,
} from './document.rules.ts';

/** Another spelling of a document: calls of the builders of `@postrider/sdk/workflow`, which give the document again. */

const callOf: Readonly<Record<string, string>> = {
  SEND_EMAIL: 'email',
  DELAY: 'delay',
  WAIT_FOR_EVENT: 'wait',
  CONDITION: 'condition',
  WEBHOOK: 'webhook',
  UPDATE_CONTACT: 'update',
  EXIT: 'exit',
};

/** A value as an expression. JSON is one, but for a key that would set the prototype. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${nameOf(key)}: ${literal(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function nameOf(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** @returns the text of a module whose default export is the document */
export function toTypeScript(given: WorkflowDocument): string {
  const document = inOrder(given);
  const { name, description, trigger, allowReentry, alias, entry, timeZone, goals, exits } = document;
  const steps = new Map(document.steps.map((step) => [step.key, step]));
  const outgoing = Map.groupBy(document.transitions, ({ from }) => from);
  const written = new Set<string>();

  /** The calls that follow a step, or the beginning of a chain. */
  const follow = (key: string, indent: string): string =>
    (outgoing.get(key) ?? [])
      .filter((way) => way.branch === undefined && way.outcome === undefined)
      .map((way) => goTo(way, indent))
      .join('');
  const goTo = (way: DocumentTransition, indent: string): string => {
    const priority = way.priority === undefined ? '' : `, { priority: ${way.priority} }`;
    const step = steps.get(way.to);
    if (!step || written.has(way.to)) return `\n${indent}.goTo(${JSON.stringify(way.to)}${priority})`;
    return call(step, indent, way.priority);
  };
  const call = (step: DocumentStep, indent: string, priority?: number): string => {
    written.add(step.key);
    const { key, type, config, template, name: title, position } = step;
    const ways = (outgoing.get(key) ?? []).filter(
      (way) => way.branch !== undefined || way.outcome !== undefined,
    );
    const options = { name: title, template, at: position && [position.x, position.y], priority };
    const hasOptions = Object.values(options).some((each) => each !== undefined);
    const deeper = `${indent}  `;
    const branches = ways.map((way) => {
      const chain = goTo(way, `${deeper}  `);
      return `\n${deeper}[${JSON.stringify(way.branch ?? way.outcome)}, (x) => x${chain}]`;
    });
    const args = [
      JSON.stringify(key),
      literal(config),
      ...(branches.length > 0 ? [`[${branches.join(',')},\n${indent}]`] : hasOptions ? ['[]'] : []),
      ...(hasOptions ? [literal(options)] : []),
    ];
    const method = callOf[type];
    const made =
      method === undefined
        ? `.step(${JSON.stringify(type)}, ${args.join(', ')})`
        : `.${method}(${args.join(', ')})`;
    return `\n${indent}${made}${follow(key, indent)}`;
  };

  const chains: string[] = [];
  const first = follow('trigger', '    ');
  if (first !== '') chains.push(`  w${first};`);
  for (const step of document.steps)
    if (!written.has(step.key)) chains.push(`  w.apart()${call(step, '    ')};`);
  const options = literal({ trigger, description, allowReentry, alias, entry, timeZone, goals, exits });
  return [
    "import { workflow } from '@postrider/sdk/workflow';",
    '',
    `export default workflow(${JSON.stringify(name)}, ${options}, (w) => {`,
    ...chains,
    '});',
    '',
  ].join('\n');
}
