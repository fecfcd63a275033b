import { keywordOf } from './report-fields.rules.ts';

/** What shows who wrote a message. */
export interface ReportAuthor {
  /** the address of the From header, or its name where it has no address; '' without one */
  from: string;
  subject: string;
  /** `report-type` of the content type, in lower case */
  reportType: string;
  /** fields of the header by their names in lower case */
  headers: ReadonlyMap<string, string>;
}

const mailSystems =
  /^(mailer-daemon|mail-daemon|maildaemon|postmaster|post_master|mail\.delivery\.system|microsoftexchange[0-9a-f]{32})@/i;

/** Whether a mail system wrote a message. A null sender alone does not say so: RFC 3834 asks automatic replies to have one. */
export const isFromMailSystem = ({ from, headers, reportType }: ReportAuthor): boolean =>
  !headers.has('from') ||
  mailSystems.test(`${from.split('@')[0]}@`) ||
  headers.has('x-failed-recipients') ||
  reportType === 'delivery-status';

/** Words for "automatic reply" and "out of office" at the begin of a subject, in 20 languages, without accents. */
const automaticSubject =
  /^\s{0,9}((automatic|auto|automated)[- ]?(reply|response|answer)|auto ?:|autoreply|autoresponse|out of (the )?office|ooo ?:|vacation (reply|response)|on vacation|away from (the )?office|i am away|automatische (antwort|abwesenheits\w{0,12})|abwesenheits?(notiz|meldung|assistent|benachrichtigung)?\b|abwesend|nicht im (buro|haus)|reponse automatique|absen(t|ce) du bureau|message d'absence|respuesta automatica|fuera de (la )?oficina|resposta automatica|ausencia (temporaria|do escritorio)|fora do escritorio|risposta automatica|fuori (ufficio|sede)|assente|automatisch(e)? antwoord|afwezig(heid)?|niet aanwezig|autosvar|automatiskt? svar|franvaro|fravar|ikke til stede|automaattinen vastaus|poissa|odpowied[zź] automatyczna|automatyczna odpowied[zź]|nieobecno[sś]c|poza biurem|automaticka odpoved|mimo kancelar|automatikus valasz|hazon kivul|raspuns automat|otomatik (yan[iı]t|cevap)|ofis d[iı]s[iı]nda|αυτοματη απαντηση)|^\s{0,9}(автоматическии ответ|автоответ|вне офиса|нет на работе|автоматична відповідь|автоматична відповідь|自動応答|自動返信|不在|自动回复|自動回覆|자동 ?응답|부재중|תשובה אוטומטית|رد تلقائي)/u;

const plain = (subject: string): string =>
  subject
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** Whether a program wrote a message in a reader's name (RFC 3834, and the older fields of autoresponders). */
export function isAutomatic({ headers, reportType, subject }: ReportAuthor): boolean {
  const submitted = headers.get('auto-submitted');
  if (submitted !== undefined && keywordOf(submitted).split(';')[0]?.trim() !== 'no') return true;
  if (keywordOf(headers.get('precedence')) === 'auto_reply') return true;
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => headers.has(name))) return true;
  if (reportType === 'disposition-notification') return true;
  // Exchange's mark of mailbox rules.
  if (headers.has('x-ms-exchange-inbox-rules-loop')) return true;
  if (/mailbox rules agent/i.test(headers.get('x-ms-exchange-generated-message-source') ?? '')) return true;
  return automaticSubject.test(plain(subject));
}
