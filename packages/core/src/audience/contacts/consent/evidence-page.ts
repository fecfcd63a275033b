import type { ConfirmationRow, presentAct } from '../../consent/index.ts';

export interface Evidence {
  email: string;
  status: string;
  createdAt: Date;
  acts: readonly ReturnType<typeof presentAct>[];
  emails: readonly ConfirmationRow[];
}

/** The evidence as a page to print: it loads nothing, and every text in it is escaped. */
export function evidencePage(
  { email, status, createdAt, acts, emails }: Evidence,
  projectName: string,
): string {
  const shown = acts.map((act) =>
    section(
      `${time(act.at)} · ${act.action} (${act.effect}${act.refusal === null ? '' : `, ${act.refusal}`})`,
      [
        ['Stored', time(act.recordedAt)],
        ['Stated by', `${act.actor.type}, ${act.actor.label}`],
        ['Where', act.source],
        ['Rests on', act.basis],
        ['Topics', topicsText(act.topics)],
        ['Pause until', act.until && time(act.until)],
        ['Ended an opt-out', act.liftsOptOut ? 'yes' : null],
        ['Words shown', act.wording && `“${act.wording.text}” (${act.wording.language})`],
        ['Form', act.form && `${act.form.name}, version ${act.form.version}`],
        ['Page', act.page],
        ['Address of the client', act.ip],
        ['Client', act.userAgent],
        ['Further evidence', act.evidence && JSON.stringify(act.evidence)],
        ['Email', act.emailId],
      ],
    ),
  );
  const sent = emails.map((mail) =>
    section(`Confirmation email of ${time(mail.createdAt)}`, [
      ['Message-ID', mail.messageId],
      ['To', mail.to],
      ['Subject', mail.subject],
      ['Sent', mail.sentAt && time(mail.sentAt)],
      ['Delivered', mail.deliveredAt && time(mail.deliveredAt)],
      ['Answer of the server', mail.answer],
    ]),
  );
  const title = `Consent of ${email}`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title><style>
body { font: 14px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 0.25rem; } section { break-inside: avoid; }
dl { display: grid; grid-template-columns: 11rem 1fr; margin: 0; } dt { color: #555; } dd { margin: 0; white-space: pre-wrap; }
</style></head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(projectName)} · status ${escaped(status)} · put together ${time(createdAt)}</p>
${[...shown, ...sent].join('\n') || '<p>Nothing was stated about this contact.</p>'}
</body>
</html>
`;
}

const section = (heading: string, rows: readonly (readonly [string, string | null])[]): string =>
  `<section><h2>${escaped(heading)}</h2><dl>${rows
    .flatMap(([name, value]) =>
      value === null || value === '' ? [] : `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`,
    )
    .join('')}</dl></section>`;

const topicsText = (topics: Readonly<Record<string, boolean>>): string =>
  Object.entries(topics)
    .map(([key, choice]) => `${key}: ${choice ? 'yes' : 'no'}`)
    .join(', ');

const time = (date: Date): string => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
