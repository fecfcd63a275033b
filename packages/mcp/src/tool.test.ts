import { expect, it } from 'vitest';
import { compact } from './compact.ts';
import { isListed, needsConfirmation, offeredTools } from './tool.ts';

it('without permission to write, only what reads is offered', () => {
  const tools = offeredTools({ allowWrites: false });
  expect(new Set(tools.map(({ risk }) => risk))).toEqual(new Set([null]));
  expect(tools.filter(({ destructive }) => destructive)).toEqual([]);
  expect(tools.length).toBeLessThan(offeredTools({ allowWrites: true }).length);
});

it('a person confirms what can make email leave or destroys data', () => {
  const tools = offeredTools({ allowWrites: true });
  const confirmed = tools.filter((tool) => needsConfirmation(tool, {}));
  expect(confirmed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'sending_send',
      'campaigns_send',
      'campaigns_resume',
      'campaigns_decideTest',
      'campaigns_test',
      'campaigns_retry',
      'workflows_startExecution',
      'events_record',
      'webhooks_create',
      'contacts_bulkUnsubscribe',
      'contacts_delete',
    ]),
  );
  expect(confirmed.filter(({ risk }) => risk === null)).toEqual([]);
  const update = tools.find(({ name }) => name === 'workflows_update');
  const asks = [{ enabled: true }, { enabled: false }, { name: 'x' }].map(
    (input) => update && needsConfirmation(update, input),
  );
  expect(asks).toEqual([true, false, true]);
});

it('a group can be chosen, and an unknown one is named', () => {
  const tools = offeredTools({ allowWrites: true, groups: ['contacts'] });
  expect(new Set(tools.map(({ name }) => name.split('_')[0]))).toEqual(new Set(['contacts']));
  expect(() => offeredTools({ allowWrites: true, groups: ['contact'] })).toThrow(
    'there is no group contact;',
  );
});

it('the input of every operation is one object whose references can be followed', () => {
  for (const { name, inputSchema } of offeredTools({ allowWrites: true })) {
    expect([name, inputSchema.type]).toEqual([name, 'object']);
    const definitions = Object.keys((inputSchema['$defs'] ?? {}) as object);
    const references = JSON.stringify(inputSchema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g);
    expect(definitions).toEqual(expect.arrayContaining([...references].map(([, target]) => target)));
    expect(JSON.stringify(inputSchema)).not.toContain('#/components');
  }
});

it('what is listed is short: no references, and the fields that are required', () => {
  for (const tool of offeredTools({ allowWrites: true }).filter(isListed)) {
    const schema = compact(tool.inputSchema);
    expect(JSON.stringify(schema)).not.toContain('$');
    expect(schema['required']).toEqual(tool.inputSchema['required']);
  }
});

it('a field with two names is listed by the first', () => {
  const tool = offeredTools({ allowWrites: true }).find(({ name }) => name === 'sending_send');
  if (!tool) throw new Error('no tool sends');
  const fields = (schema: object): string[] => Object.keys((schema as { properties: object }).properties);
  expect(fields(tool.inputSchema)).toEqual(expect.arrayContaining(['replyTo', 'reply']));
  expect(fields(compact(tool.inputSchema))).toContain('replyTo');
  expect(fields(compact(tool.inputSchema))).not.toContain('reply');
});
