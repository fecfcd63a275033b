import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const ann = 'ann@people.example';
const bob = 'bob@people.example';
const carl = 'carl@people.example';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

interface Case {
  file: string | Buffer;
  options?: object;
  rows: number;
  /** numbers of the rows that are refused */
  refused?: number[];
  data: Record<string, object>;
}

/** Files in the shape of those that other programs write. */
const cases: Record<string, Case> = {
  'Python csv.writer': {
    file: `email,name,n\r\n${ann},"Ann ""A"", Lee",5\r\n${bob},"two\nlines",7\r\n`,
    rows: 2,
    data: { [ann]: { name: 'Ann "A", Lee', n: 5 }, [bob]: { name: 'two\nlines', n: 7 } },
  },
  'Python QUOTE_ALL': {
    file: `"email","name","n"\r\n"${ann}","Ann","5"\r\n"${bob}","","7"\r\n`,
    rows: 2,
    data: { [ann]: { name: 'Ann', n: 5 }, [bob]: { n: 7 } },
  },
  'Python QUOTE_NONNUMERIC, with one number as text': {
    file: `"email","n","m"\r\n"${ann}",5,5\r\n"${bob}","7",7\r\n`,
    rows: 2,
    data: { [ann]: { n: '5', m: 5 }, [bob]: { n: '7', m: 7 } },
  },
  'Python QUOTE_NONE with backslashes, which are characters': {
    file: `email,name\r\n${ann},a\\,b \\"c\\"\r\n${bob},x\r\n`,
    rows: 2,
    refused: [1],
    data: { [bob]: { name: 'x' } },
  },
  'Python unix dialect': {
    file: `"email","name"\n"${ann}","Ann"\n`,
    rows: 1,
    data: { [ann]: { name: 'Ann' } },
  },
  'Python excel-tab': {
    file: `email\tname\r\n${ann}\t"a\tb"\r\n`,
    rows: 1,
    data: { [ann]: { name: 'a\tb' } },
  },
  'pandas with its index': {
    file: `,email,seats\n0,${ann},5.0\n1,${bob},\n`,
    rows: 2,
    data: { [ann]: { seats: '5.0' }, [bob]: {} },
  },
  'Go encoding/csv, which quotes leading blanks': {
    file: `email,name\n${ann}," Ann"\n${bob},"""B"""\n`,
    rows: 2,
    data: { [ann]: { name: ' Ann' }, [bob]: { name: '"B"' } },
  },
  'R write.csv': {
    file: `"","email","age","vip"\n"1","${ann}",31,TRUE\n"2","${bob}",NA,FALSE\n`,
    rows: 2,
    data: { [ann]: { age: '31', vip: true }, [bob]: { age: 'NA', vip: false } },
  },
  'LibreOffice, semicolons and all text cells quoted': {
    file: `"email";"Preis";"Ort"\n"${ann}";19,9;"Köln; Deutz"\n`,
    options: { mapping: '{"Preis":{"to":"data.price","type":"NUMBER","format":"1.234,5"}}' },
    rows: 1,
    data: { [ann]: { price: 19.9, Ort: 'Köln; Deutz' } },
  },
  'Excel CSV UTF-8': {
    file: `\uFEFFemail;Vorname;PLZ\r\n${ann};Jörg;01069\r\n;;\r\n  ;;\r\n`,
    rows: 1,
    data: { [ann]: { Vorname: 'Jörg', PLZ: '01069' } },
  },
  'Excel with its line of the separator': {
    file: `\uFEFFsep=;\r\nemail;Vorname\r\n${ann};Jörg\r\n`,
    rows: 1,
    data: { [ann]: { Vorname: 'Jörg' } },
  },
  'Excel CSV in Windows-1252': {
    file: latin1(`email;Stadt\r\n${ann};K\xf6ln\r\n${bob};Z\xfcrich \x80\r\n`),
    options: { encoding: 'windows-1252' },
    rows: 2,
    data: { [ann]: { Stadt: 'Köln' }, [bob]: { Stadt: 'Zürich €' } },
  },
  'Excel Unicode text, in UTF-16': {
    file: Buffer.from(`\uFEFFemail\tVorname\r\n${ann}\tJörg\r\n`, 'utf16le'),
    rows: 1,
    data: { [ann]: { Vorname: 'Jörg' } },
  },
  'Excel for Mac, with CR': {
    file: `first_name,email,plan\rAnn,${ann},pro\rBob,${bob},free\r`,
    rows: 2,
    data: { [ann]: { first_name: 'Ann', plan: 'pro' }, [bob]: { first_name: 'Bob', plan: 'free' } },
  },
  'Excel for Mac, in its old encoding': {
    file: latin1(`email,Stadt\r${ann},K\x9aln\r`),
    options: { encoding: 'macintosh' },
    rows: 1,
    data: { [ann]: { Stadt: 'Köln' } },
  },
  'a database with pipes': {
    file: `email|name|n\n${ann}|Ann, A;|1\n`,
    rows: 1,
    data: { [ann]: { name: 'Ann, A;', n: 1 } },
  },
  'padded quotes': {
    file: `"email" , "first_name" , "plan"\r\n"${ann}" , "Ann" , "pro"\r\n"${bob}" , "Miller, Bob" , "free"\r\n`,
    rows: 2,
    data: { [ann]: { first_name: 'Ann', plan: 'pro' }, [bob]: { first_name: 'Miller, Bob', plan: 'free' } },
  },
  'a stray quote': {
    file: `email,first_name,plan\r\n${ann},"Ann,pro\r\n${bob},Bob,free\r\n${carl},"Carl",free\r\n`,
    rows: 3,
    refused: [1],
    data: { [bob]: { first_name: 'Bob', plan: 'free' }, [carl]: { first_name: 'Carl', plan: 'free' } },
  },
  'quotes within quotes': {
    file: `email,first_name,plan\r\n${ann},Ann "The Boss" Miller,pro\r\n${bob},"Bob "Bobby" Miller",free\r\n${carl},19" rack,free\r\n`,
    rows: 3,
    refused: [2],
    data: {
      [ann]: { first_name: 'Ann "The Boss" Miller', plan: 'pro' },
      [carl]: { first_name: '19" rack', plan: 'free' },
    },
  },
  'a comma without quotes': {
    file: `email,name,plan,consent\r\n${ann},Ann Miller,pro,yes\r\n${bob},Miller, Bob,free,no\r\n`,
    rows: 2,
    refused: [2],
    data: { [ann]: { name: 'Ann Miller', plan: 'pro', consent: 'yes' } },
  },
  'a newsletter service': {
    file: `"Email Address","First Name",TAGS,OPTIN_TIME\n${ann},Ann,"""Customer"",""VIP""","2025-01-02 03:04:05"\n`,
    rows: 1,
    data: { [ann]: { 'First Name': 'Ann', TAGS: '"Customer","VIP"', OPTIN_TIME: '2025-01-02 03:04:05' } },
  },
  'a list of addresses, some with more': {
    file: `email\r\n${ann}\r\n${bob};Bob\r\n"Carl, C." ${carl}\r\n`,
    rows: 3,
    refused: [2, 3],
    data: { [ann]: {} },
  },
  'addresses in other letters': {
    file: `email,first_name\r\n${ann},Ann\r\nANN@PEOPLE.example,\r\n ${ann} ,ANN\r\n`,
    rows: 3,
    data: { [ann]: { first_name: 'ANN' } },
  },
  formulas: {
    file: `email,phone,note\r\n${ann},+49 170 1234567,-5% off\r\n=cmd@people.example,@handle,=1+1\r\n`,
    rows: 2,
    data: {
      [ann]: { phone: '+49 170 1234567', note: '-5% off' },
      '=cmd@people.example': { phone: '@handle', note: '=1+1' },
    },
  },
};

it.each(Object.entries(cases))(
  '%s: each row is imported or refused',
  async (_, { file, options, rows, refused = [], data }) => {
    const { ctx, id: projectId } = await createTestProject(test.services);
    const { jobId } = await startContactImport.runRaw(ctx, { csv: Buffer.from(file), ...options });
    await runImport(test.services, jobId);
    const { failedReason, result } = await getContactImport.run(ctx, { jobId });
    expect(failedReason).toBeNull();
    expect(result).toMatchObject({
      totalRows: rows,
      successCount: rows - refused.length,
      failureCount: refused.length,
      unreadCount: 0,
    });
    expect(result?.errors.map(({ row }) => row)).toEqual(refused);
    const contacts = await test.services.database.prisma.contact.findMany({ where: { projectId } });
    expect(Object.fromEntries(contacts.map((each) => [each.email, each.data]))).toEqual(data);
  },
);
