/**
 * Every function that reads text from outside, with what makes its reading expensive. `foreign-parsers.limits.test.ts` doubles the text: a
 * function takes at most nine times as long for four times the text. New ones belong here; the patterns that a file uses are found by
 * `slow-patterns.limits.test.ts`.
 */
import { handOverOf } from '../adapters/ses/ses-answer.ts';
import { enhancedCodeOf, replyText } from '../adapters/smtp/reply.ts';
import { ReplyReader } from '../adapters/smtp/reply-reader.ts';
import { splitContactData } from '../audience/contacts/contacts.rules.ts';
import { externalIdText } from '../audience/contacts/contacts.schema.ts';
import {
  cellReader,
  columnTypes,
  dateFormats,
  numberFormats,
} from '../audience/contacts/imports/cell-values.rules.ts';
import { failedRowsOf } from '../audience/contacts/imports/failed-rows.rules.ts';
import { readHeader } from '../audience/contacts/imports/header.rules.ts';
import { readMapping } from '../audience/contacts/imports/mapping.rules.ts';
import { RowReader, TypeSurvey } from '../audience/contacts/imports/rows.rules.ts';
import { contactReference } from '../audience/contacts/reference.schema.ts';
import { readFilterTree } from '../audience/segments/filters.schema.ts';
import { checkContent } from '../automation/preflight/contract.ts';
import {
  addressPartsSought,
  formerSpellings,
  isHttpUrl,
  normalizeAddress,
  normalizeSender,
  readAddressCell,
  readMailbox,
  splitMailboxes,
} from '../base/kernel/fields.ts';
import { findUnacceptable } from '../base/kernel/unacceptable.rules.ts';
import { csvCell, unguarded } from '../base/lib/csv.rules.ts';
import { decodeCsv, likelyEncoding } from '../base/lib/csv-encoding.rules.ts';
import { CsvReader, csvDialectOf } from '../base/lib/csv-reader.rules.ts';
import { bareDayOf, instantOf, readIsoDate, writtenInstantOf } from '../base/lib/dates.rules.ts';
import { asLanguageTag, languageOf } from '../base/lib/locales.rules.ts';
import { nameLikeness, nameText } from '../base/lib/names.rules.ts';
import { parseTemplate } from '../content/templates/language/index.ts';
import { storedDetail, wordsOf } from '../mail/diagnosis/diagnosis.rules.ts';
import { answeredTo, diagnose } from '../mail/diagnosis/index.ts';
import { isBase64 } from '../mail/message/base64.rules.ts';
import { asSevenBit, withShortLines } from '../mail/message/carried-message.ts';
import { withUtf8 } from '../mail/message/html-charset.ts';
import { asDocument, bodyEnd } from '../mail/message/html-document.ts';
import { bodyStartOf, partsOf, readFields, readParameters, textOf } from '../mail/message/index.ts';
import { htmlToText } from '../mail/message/plain-text.ts';
import { withPreheader } from '../mail/message/preheader.ts';
import { readBounceAddress } from '../mail/message/return-path.ts';
import { bodySources } from '../mail/message/text-body.ts';
import { trackHtml, webAddresses } from '../mail/message/tracked-html.ts';
import { base64InLines, fromQuotedPrintable, quotedPrintableOf } from '../mail/message/transfer-encodings.ts';
import { readLetter } from '../mail/news/letter.rules.ts';
import { readReport } from '../mail/news/read-report.ts';
import { isAutomatic } from '../mail/news/report-author.rules.ts';
import { fieldGroups, keywordOf } from '../mail/news/report-fields.rules.ts';
import { originOf } from '../mail/news/report-origin.rules.ts';
import { returnedMessageOf } from '../mail/news/returned-message.rules.ts';
import { roleAddressOf } from '../mail/news/role-address.ts';
import { parseSesNotification } from '../mail/provider/ses-notification.rules.ts';
import { isSnsAddress } from '../mail/provider/sns-address.rules.ts';
import { parseSnsMessage } from '../mail/provider/sns-message.rules.ts';
import { hasCleanLines } from '../mail/submission/line-ends.rules.ts';
import { readSubmission } from '../mail/submission/read-submission.ts';
import { isBot } from '../mail/tracking/bots.rules.ts';
import { mailClientOf } from '../mail/tracking/mail-client.ts';
import { hostMatches, textMatches } from '../people/domains/records.rules.ts';

export interface ForeignParser {
  name: string;
  read(text: string): unknown;
  /** the longest text that it is ever given; by default any */
  longest?: number;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const quietly = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    // A refusal is an answer; what counts is the time until it.
    return error;
  }
};

/** The text at each place of a message where it may stand. */
const messagesWith = (text: string): string[] => [
  text,
  `From: a@shop.example\r\nSubject: a${text}b\r\n\r\nHello`,
  `From: ${text}a@shop.example\r\nTo: ${text}\r\n\r\nHello`,
  `From: a@shop.example\r\nContent-Type: multipart/mixed; boundary=x; a="${text}\r\n\r\n--x${text}\r\n--x--`,
  `From: a@shop.example\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}`,
  `From: a@shop.example\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}`,
];

const reportWith = (text: string): string[] => [
  ...messagesWith(text),
  `Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\n\r\n${text}\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed ${text}\r\nStatus: ${text}\r\nDiagnostic-Code: smtp; ${text}\r\n--x--`,
];

const anyProof = { isBounceTag: () => true };
const silent = { closed: false, onMalformed: () => {}, onContinuation: () => {}, onReply: () => {} };

export const foreignParsers: readonly ForeignParser[] = [
  // Messages
  { name: 'readFields', read: (text) => [readFields(`A: ${text}b`), readFields(text)] },
  {
    name: 'readParameters',
    read: (text) => [`a; b="${text}`, `a;${text}=c`, `a; b=${text}`].map(readParameters),
  },
  {
    name: 'partsOf, textOf, bodyStartOf',
    read: (text) =>
      messagesWith(text).map((each) => {
        const raw = bytesOf(each);
        return [bodyStartOf(raw), partsOf(raw).map((part) => textOf(raw, part).length)];
      }),
  },
  {
    name: 'withShortLines, asSevenBit',
    read: (text) =>
      messagesWith(`${text}${'x'.repeat(999)}\u00e4`).map((each) => [
        quietly(() => withShortLines(bytesOf(each))),
        quietly(() => asSevenBit(bytesOf(each))),
      ]),
  },
  {
    name: 'quotedPrintableOf, fromQuotedPrintable, base64InLines',
    read: (text) => {
      const bytes = bytesOf(text);
      return [quotedPrintableOf(bytes), fromQuotedPrintable(bytes), base64InLines(bytes)].length;
    },
  },
  { name: 'hasCleanLines', read: (text) => hasCleanLines(bytesOf(text)) },
  {
    name: 'readSubmission',
    read: (text) => messagesWith(text).map((each) => quietly(() => readSubmission(bytesOf(each)))),
  },
  // Reports
  {
    name: 'readReport',
    read: (text) => reportWith(text).map((each) => readReport(bytesOf(each), '', ['a@people.example'])),
  },
  { name: 'fieldGroups', read: (text) => [fieldGroups(text), fieldGroups(`Status: ${text}`)] },
  { name: 'keywordOf', read: (text) => keywordOf(`a${text}b`) },
  {
    name: 'readLetter',
    read: (text) => [
      readLetter(text, `${text}\nfailed`),
      readLetter('', `550 ${text}`),
      isAutomatic({ from: text, headers: new Map(), reportType: '', subject: text }),
    ],
  },
  { name: 'storedDetail', read: storedDetail },
  {
    name: 'readBounceAddress',
    read: (text) => [
      readBounceAddress(anyProof, `b-${text}@bounces.${text}`),
      readBounceAddress(anyProof, `b-${'a'.repeat(26)}-${'a'.repeat(10)}@bounces.${text}`),
    ],
  },
  {
    name: 'returnedMessageOf, roleAddressOf',
    read: (text) => [
      returnedMessageOf([{ name: 'return-path', value: `<${text}`, text }]),
      returnedMessageOf([{ name: 'x-postrider-email', value: text, text }]),
      ...[text, `abuse@${text}`, `fbl@bounces.${text}`].map((each) => roleAddressOf(each, 'mx.shop.example')),
    ],
  },
  {
    name: 'originOf',
    read: (text) =>
      originOf([
        { name: 'received', value: `from ${text} by ${text} with ${text}` },
        { name: 'dkim-signature', value: `d=${text}; s=${text}` },
        { name: 'dkim-signature', value: text },
      ]),
  },
  // Replies of mail servers and providers, DNS answers
  {
    name: 'diagnose, answeredTo',
    read: (text) => [
      diagnose({ reply: 550, status: null, text: `550 ${text}`, about: 'recipient' }),
      answeredTo(text),
      wordsOf(text),
    ],
  },
  { name: 'replyText, enhancedCodeOf', read: (text) => [replyText(text), enhancedCodeOf(text)] },
  { name: 'ReplyReader', read: (text) => new ReplyReader(silent).feed(text) },
  { name: 'handOverOf', read: (text) => handOverOf(Object.assign(new Error(text), { name: text }), true) },
  {
    name: 'parseSnsMessage',
    read: (text) => quietly(() => parseSnsMessage(`{"Message":${JSON.stringify(text)}}`)),
  },
  {
    name: 'parseSesNotification',
    read: (text) => quietly(() => parseSesNotification(`{"eventType":${JSON.stringify(text)}}`)),
  },
  { name: 'isSnsAddress', read: (text) => isSnsAddress(`https://${text}`) },
  {
    name: 'textMatches, hostMatches',
    read: (text) => [
      ...(['DKIM', 'DMARC', 'SPF'] as const).map((purpose) =>
        textMatches({ purpose, value: 'v=x', type: 'TXT', name: 'a', required: true }, text),
      ),
      hostMatches(text, `${text}.`),
    ],
    longest: 4_096,
  },
  // Requests
  { name: 'mailClientOf, isBot', read: (text) => [mailClientOf(`Mozilla/5.0 (${text}`), mailClientOf(text)] },
  { name: 'isBot', read: (text) => [isBot(`Mozilla/5.0 ${text}`), isBot(text)], longest: 512 },
  {
    name: 'addresses',
    read: (text) =>
      [text, `${text}@a.example`, `a@${text}.example`, `a@xn--${text}.example`].map((each) => [
        normalizeAddress(each),
        normalizeSender(each),
        addressPartsSought(each),
        formerSpellings(each),
        readMailbox(each),
        readMailbox(`"${each}" <a@b.example>`),
        readAddressCell(`mailto:${each}`),
        splitMailboxes(each).length,
        isHttpUrl(`https://${each}`),
      ]),
  },
  {
    name: 'contactReference, externalIdText',
    read: (text) =>
      [text, `ext:${text}`, `${text}@a.example`].map((each) => [
        contactReference.safeParse(each),
        externalIdText.safeParse(each),
      ]),
  },
  { name: 'names', read: (text) => [nameText(text), nameLikeness(text)] },
  {
    name: 'dates',
    read: (text) => [bareDayOf, instantOf, readIsoDate, writtenInstantOf].map((read) => read(`1${text}(`)),
  },
  { name: 'findUnacceptable', read: (text) => findUnacceptable({ a: [text], [text]: 1 }, []) },
  {
    name: 'readFilterTree',
    read: (text) =>
      readFilterTree({
        logic: 'AND',
        groups: [{ filters: [{ field: `data.${text}`, operator: 'equals', value: text }] }],
      }),
  },
  {
    name: 'locales',
    read: (text) =>
      [asLanguageTag, languageOf].map((read) => [read(text), read(`en-US${text}!`), read(`de_DE.a${text}!`)]),
  },
  { name: 'splitContactData', read: (text) => splitContactData({ a: text, [text]: 1 }, 'stored-only') },
  { name: 'isBase64', read: isBase64 },
  // Templates and HTML
  {
    name: 'checkContent',
    read: (text) =>
      [text, `{{${text}`, `${text}manageUrl}}`].map((body) =>
        checkContent({
          content: {
            type: 'HEADLESS',
            subject: text,
            preheader: text,
            body,
            text,
            design: null,
            source: 'contacts',
            fields: new Map([['name', 50]]),
            rendered: null,
          },
          address: null,
        }),
      ),
  },
  {
    name: 'parseTemplate',
    read: (text) => [
      quietly(() => parseTemplate(text, 'html')),
      quietly(() => parseTemplate(`{{ a${text} }}`, 'text')),
    ],
  },
  {
    name: 'htmlToText',
    read: (text) => [htmlToText(text), htmlToText(`<a href="${text}`), htmlToText(`<p style="${text}">`)],
  },
  {
    name: 'bodySources, withUtf8',
    read: (text) => [
      bodySources(`${text}\n${text}`),
      withUtf8(text),
      withUtf8(`<meta http-equiv="content-type" content="charset=${text}">`),
    ],
  },
  {
    name: 'trackHtml, webAddresses',
    read: (text) => [trackHtml(`<a href="${text}`, () => true), webAddresses(text)],
  },
  {
    name: 'HTML documents',
    read: (text) => [
      asDocument(text, { language: 'en', title: text }),
      bodyEnd(text),
      withPreheader({ body: text, preheader: 'a' }),
    ],
  },
  // CSV
  {
    name: 'CsvReader',
    read: (text) =>
      ['', '"', 'email\n', '\n"'].map((start) =>
        quietly(() => {
          const reader = new CsvReader({ separator: ',' });
          return [reader.feed(start + text), reader.end()];
        }),
      ),
  },
  { name: 'csvDialectOf', read: (text) => [csvDialectOf([text]), csvDialectOf([`sep=${text}`, text])] },
  {
    name: 'decodeCsv, likelyEncoding',
    read: (text) => {
      const bytes = bytesOf(text);
      return [likelyEncoding(bytes), quietly(() => [...decodeCsv(bytes, 'gb18030')].length)];
    },
  },
  {
    name: 'readHeader, TypeSurvey, RowReader, failedRowsOf',
    read: (text) => {
      const cells = [`${text}a@a.example`, text, text];
      const reading = readHeader(['email', text, 'subscribed']);
      const row = { cells, quoted: [], count: 3, isCut: false, problem: null };
      if (!reading.ok) return reading;
      const types = new TypeSurvey(reading.header);
      types.add(row);
      return [
        new RowReader(types.result(), { byForm: 'yes', zone: 'UTC' }).read(row),
        failedRowsOf(
          { header: ['email', text], width: 3 },
          [{ row: 1, cells }],
          [{ row: 1, error: text }],
          true,
        ),
      ];
    },
  },
  {
    name: 'cellReader',
    read: (text) =>
      columnTypes.flatMap((type) =>
        [...numberFormats, ...dateFormats].map((format) =>
          cellReader({ type, format, separator: ',', zone: 'UTC' })(text),
        ),
      ),
  },
  { name: 'readMapping', read: (text) => readMapping({ [text]: 'email', a: `data.${text}` }) },
  { name: 'csvCell, unguarded', read: (text) => [csvCell(text), unguarded(`'${text}`)] },
];
