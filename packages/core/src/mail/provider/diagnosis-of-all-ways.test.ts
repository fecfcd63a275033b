import { describe, expect, it } from 'vitest';
import { type Answer, builtOn } from '../diagnosis/diagnosis-corpus.fixture.ts';
import {
  letterOfAnswer,
  notificationOfAnswer,
  partsOfAnswer,
  reportOfAnswer,
} from '../diagnosis/diagnosis-frames.fixture.ts';
import { diagnose } from '../diagnosis/index.ts';
import { readReport } from '../news/read-report.ts';
import { parseSesNotification } from './ses-notification.rules.ts';

interface Found {
  class: string;
  bounceType: string;
}

function inDialogue(answer: Answer): Found {
  const { reply, status } = partsOfAnswer(answer);
  const { class: found, bounceType } = diagnose({ reply, status, text: answer.text, about: answer.to });
  return { class: found, bounceType };
}

function inMessage(raw: string): Found | null {
  const [result] = readReport(Buffer.from(raw), '', ['reader@people.example']).results;
  return result?.kind === 'bounce' ? { class: result.class, bounceType: result.bounceType } : null;
}

function inNotification(text: string): Found | null {
  const news = parseSesNotification(text)?.news;
  return news?.kind === 'bounce' ? { class: news.diagnosis.class, bounceType: news.bounceType } : null;
}

describe('the same refusal', () => {
  it('has the same class in the dialogue, a delivery report and a letter', () => {
    const different = builtOn.flatMap((answer) => {
      const said = inDialogue(answer);
      const ways = { report: inMessage(reportOfAnswer(answer)), letter: inMessage(letterOfAnswer(answer)) };
      return Object.entries(ways)
        .filter(([, found]) => found?.class !== said.class || found.bounceType !== said.bounceType)
        .map(([way, found]) => ({ text: `${answer.to} ${answer.text}`, way, said, found }));
    });
    expect(different).toEqual([]);
  });

  it('of the recipient has the same class in a notification of the provider', () => {
    const different = builtOn
      .filter(({ to }) => to === 'recipient')
      .map((answer) => ({
        text: answer.text,
        said: inDialogue(answer),
        found: inNotification(notificationOfAnswer(answer)),
      }))
      .filter(({ said, found }) => found?.class !== said.class || found.bounceType !== said.bounceType);
    expect(different).toEqual([]);
  });
});

describe('a bounce of Amazon SES', () => {
  const bounce = (bounceType: string, bounceSubType: string, diagnosticCode?: string) =>
    inNotification(
      JSON.stringify({
        notificationType: 'Bounce',
        mail: { messageId: 'm-1' },
        bounce: {
          bounceType,
          bounceSubType,
          bouncedRecipients: [{ emailAddress: 'a@people.example', diagnosticCode }],
        },
      }),
    );

  it.each(['Suppressed', 'OnAccountSuppressionList', 'NoEmail'])(
    'of the sub-type %s is final, whatever its text',
    (subType) => {
      expect(bounce('Permanent', subType, 'Amazon SES has suppressed sending to this address')).toEqual({
        class: 'no_mailbox',
        bounceType: 'Permanent',
      });
    },
  );
  it('that is permanent without a text is final', () => {
    expect(bounce('Permanent', 'General')).toEqual({ class: 'no_mailbox', bounceType: 'Permanent' });
  });
  it('that is permanent in general is what its text says', () => {
    expect(bounce('Permanent', 'General', 'smtp; 550 5.7.1 blocked using a block list')).toEqual({
      class: 'blocked',
      bounceType: 'Undetermined',
    });
    expect(bounce('Permanent', 'General', 'smtp; 552 5.2.2 mailbox full')).toEqual({
      class: 'full',
      bounceType: 'Transient',
    });
  });
  it('of another type keeps it', () => {
    expect(bounce('Transient', 'General', 'smtp; 550 5.1.1 user unknown')).toEqual({
      class: 'no_mailbox',
      bounceType: 'Transient',
    });
    expect(bounce('Undetermined', 'Undetermined', 'smtp; 550 5.1.1 user unknown')).toMatchObject({
      bounceType: 'Undetermined',
    });
    expect(bounce('Other', '')).toMatchObject({ bounceType: 'Undetermined' });
  });
});
