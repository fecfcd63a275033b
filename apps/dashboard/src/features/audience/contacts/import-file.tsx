import { type CsvEncoding, csvEncodings, type ImportKind } from '@postrider/core/audience/contacts/contract';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Cell, Table } from '../../../ui/table.tsx';
import { type HeadReading, proposedEncoding, readHead } from './csv-head.rules.ts';
import styles from './import-mapping.module.css';

/** A file that was chosen, and what is known about it. */
export interface ChosenFile {
  file: File;
  bytes: Uint8Array;
  kind: ImportKind;
  encoding: CsvEncoding;
  /** an encoding has to be chosen, or was */
  asksEncoding: boolean;
  reading: HeadReading;
}

/** The newsletter services mark a list of people who left by such a column. */
const leftColumns = new Set(['UNSUB_TIME', 'unsubscribed_at']);

async function choose(file: File): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const proposed = proposedEncoding(bytes);
  const encoding = proposed ?? 'auto';
  const reading = readHead(bytes, encoding);
  const headers = 'head' in reading ? reading.head.headers : [];
  const kind = headers.some((header) => leftColumns.has(header)) ? 'optOuts' : 'contacts';
  return { file, bytes, kind, encoding, asksEncoding: proposed !== null, reading };
}

interface ImportFileProps {
  chosen: ChosenFile | null;
  onChange: (chosen: ChosenFile | null) => void;
  onNext: () => void;
  onClose: () => void;
}

/** The first step of an import: the file, what its rows are, and whether its letters are right. */
export function ImportFile({ chosen, onChange, onNext, onClose }: ImportFileProps) {
  const problem = chosen && 'problem' in chosen.reading ? chosen.reading.problem : undefined;
  return (
    <Form label="File" failure={null} onSubmit={() => chosen && problem === undefined && onNext()}>
      <FileField
        name="file"
        label="CSV file"
        accept=".csv,text/csv"
        required={chosen === null}
        chosen={chosen?.file ?? null}
        onFile={(file) => {
          if (file) void choose(file).then(onChange);
          else onChange(null);
        }}
        failure={problem}
        hint="Up to 5 MB, with a header row. One column has the email addresses."
      />
      {chosen && (
        <SelectField
          name="kind"
          label="The file has"
          value={chosen.kind}
          onChange={({ target }) => onChange({ ...chosen, kind: target.value as ImportKind })}
        >
          <option value="contacts">Contacts</option>
          <option value="optOuts" title="They are unsubscribed, and later imports cannot subscribe them.">
            People who unsubscribed
          </option>
          <option value="suppressions" title="No email is sent to these addresses.">
            Addresses to suppress
          </option>
        </SelectField>
      )}
      {chosen?.asksEncoding && (
        <SelectField
          name="encoding"
          label="Encoding"
          hint="The file is not UTF-8. Choose the encoding in which the names below are right."
          value={chosen.encoding}
          onChange={({ target }) => {
            const encoding = target.value as CsvEncoding;
            onChange({ ...chosen, encoding, reading: readHead(chosen.bytes, encoding) });
          }}
        >
          {csvEncodings
            .filter((encoding) => encoding !== 'auto')
            .map((encoding) => (
              <option key={encoding} value={encoding}>
                {encoding}
              </option>
            ))}
        </SelectField>
      )}
      {chosen && 'head' in chosen.reading && <FirstRows reading={chosen.reading} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={problem !== undefined}>
          Next
        </Button>
      </DialogActions>
    </Form>
  );
}

const shownCells = 4;

function FirstRows({ reading: { head } }: { reading: Extract<HeadReading, { head: unknown }> }) {
  if (head.rows.length === 0) return <p className={styles.none}>The file has no rows below its header.</p>;
  const columns = head.cells.slice(0, shownCells);
  const more = head.cells.length - columns.length;
  return (
    <section aria-label="Rows of the file">
      <Table
        label="Rows of the file"
        columns={columns.map((label, index) => ({
          id: String(index),
          label: label.trim(),
          extra: index > 1,
        }))}
      >
        {head.rows.map(({ cells }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          <tr key={index}>
            {columns.map((label, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <Cell key={`${place} ${label}`} clip extra={place > 1}>
                {cells[place] ?? ''}
              </Cell>
            ))}
          </tr>
        ))}
      </Table>
      {more > 0 && <p className={styles.none}>{`And ${more} more ${more === 1 ? 'column' : 'columns'}.`}</p>}
    </section>
  );
}
