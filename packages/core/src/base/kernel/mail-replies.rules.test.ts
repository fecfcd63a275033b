import { describe, expect, it } from 'vitest';
import { providers } from '../providers/index.ts';
import { type Phase, type Reply, rowFor } from './mail-replies.rules.ts';

const reply = (code: number, enhancedCode: string | null = null): Reply => ({
  permanent: code >= 500,
  code,
  enhancedCode,
});

describe('what a reply of a mail server concerns', () => {
  it.each<[Phase, Reply, string, string]>([
    ['opening', reply(421), 'route', 'pause'],
    ['opening', reply(554), 'route', 'pause'],
    ['opening', null, 'route', 'pause'],
    ['login', reply(454), 'route', 'pause'],
    ['login', reply(535), 'route', 'pause long'],
    ['mail', reply(421), 'sender', 'pause'],
    ['mail', reply(452, '4.3.1'), 'sender', 'pause'],
    ['mail', reply(450, '4.3.2'), 'sender', 'pause'],
    ['mail', reply(451, '4.7.1'), 'email', 'retry'],
    ['mail', reply(550), 'email', 'fail or pause'],
    ['mail', null, 'email', 'retry'],
    ['rcpt', reply(421), 'email', 'retry'],
    ['rcpt', reply(450, '4.3.2'), 'email', 'retry'],
    ['data', reply(421), 'email', 'retry'],
    ['final', reply(421), 'email', 'retry'],
    ['final', reply(452, '4.3.1'), 'email', 'retry'],
    ['rcpt', reply(550, '5.1.1'), 'email', 'fail'],
    ['final', reply(554), 'email', 'fail'],
    ['rcpt', null, 'email', 'retry'],
    ['data', null, 'email', 'retry'],
    ['final', null, 'email', 'uncertain'],
    ['request', { permanent: true, code: 400, enhancedCode: null }, 'email', 'fail'],
    ['request', { permanent: false, code: 500, enhancedCode: null }, 'email', 'retry'],
    ['request', null, 'email', 'uncertain'],
  ])('%s, %o: %s, %s', (phase, said, concerns, effect) => {
    expect(rowFor(phase, said)).toMatchObject({ concerns, effect });
  });

  it.each(Object.values(providers).map(({ name, stages }) => [name, stages] as const))(
    'every answer of %s at %o has a row',
    (_, stages) => {
      for (const stage of stages)
        for (const permanent of [true, false])
          for (const said of [null, { permanent, code: 599, enhancedCode: null }])
            expect(() => rowFor(stage, said)).not.toThrow();
    },
  );

  it('no reply after MAIL FROM pauses anything or says how many connections the server allows', () => {
    const replies = [null, ...[421, 450, 451, 452, 550, 552, 554].map((code) => reply(code))];
    for (const phase of ['rcpt', 'data', 'final'] as const)
      for (const said of replies) {
        expect(rowFor(phase, said).concerns).toBe('email');
        expect(rowFor(phase, said).teaches).toBeUndefined();
      }
  });
});
