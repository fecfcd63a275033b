import { mostCells } from '../../../base/lib/csv-reader.rules.ts';
import type { Breath } from '../../../base/lib/index.ts';
import type { ImportOptions } from '../jobs/jobs.rules.ts';
import { type FieldTypes, type Header, readHeader } from './header.rules.ts';
import { type CsvFile, UnreadableCsv } from './read-csv.ts';
import { problemTexts, RowReader, TypeSurvey } from './rows.rules.ts';

export interface Surveyed {
  /** the first row of the file */
  head: readonly string[];
  header: Header;
  reader: RowReader;
  totalRows: number;
  /** cells of the longest row */
  width: number;
  /** addresses of which some row says that their owners opted out: it counts for all of their rows */
  leaving: ReadonlySet<string>;
}

interface SurveyOptions {
  options: Pick<ImportOptions, 'subscribed' | 'mapping' | 'kind'>;
  fieldTypes: FieldTypes;
  /** the numbers of the topics that can be chosen, by their keys */
  topics: ReadonlyMap<string, number>;
  zone: string;
  breath: Breath;
}

/** Reads the whole file once before anything is stored: its header, the types of its columns, and who opted out. @throws UnreadableCsv */
export async function surveyFile(file: CsvFile, survey: SurveyOptions): Promise<Surveyed> {
  const { options, fieldTypes, topics, zone, breath } = survey;
  const { mapping, kind } = options;
  let head: readonly string[] | undefined;
  let types: TypeSurvey | undefined;
  let totalRows = 0;
  let width = 0;
  for await (const rows of file.rows(breath)) {
    for (const row of rows) {
      if (breath.isDue) await breath.take();
      if (types) {
        totalRows += 1;
        width = Math.max(width, row.cells.length);
        types.add(row);
        continue;
      }
      if (row.problem !== null)
        throw new UnreadableCsv(`The header cannot be read. ${problemTexts[row.problem]}`);
      if (row.count > mostCells)
        throw new UnreadableCsv(`The header has more than ${mostCells.toLocaleString('en')} cells`);
      const reading = readHeader(row.cells, { mapping, kind, fieldTypes, topics });
      if (!reading.ok) throw new UnreadableCsv(reading.problem);
      head = row.cells;
      types = new TypeSurvey(reading.header);
    }
  }
  if (!head || !types) throw new UnreadableCsv('The file is empty');
  const header = types.result();
  const reader = new RowReader(header, { byForm: saidByForm(options), zone });
  const leaving = reader.statesConsent ? await addressesLeaving(file, reader, breath) : new Set<string>();
  return { head, header, reader, totalRows, width, leaving };
}

const saidByForm = ({ subscribed }: Pick<ImportOptions, 'subscribed'>): 'field' | 'no' | 'nothing' =>
  subscribed === 'keep' ? 'nothing' : subscribed ? 'field' : 'no';

async function addressesLeaving(file: CsvFile, reader: RowReader, breath: Breath): Promise<Set<string>> {
  const leaving = new Set<string>();
  let isHeader = true;
  for await (const rows of file.rows(breath)) {
    for (const row of rows) {
      if (breath.isDue) await breath.take();
      const reading = isHeader ? null : reader.read(row);
      isHeader = false;
      if (reading?.ok && reading.consent.said === 'no') leaving.add(reading.email);
    }
  }
  return leaving;
}
