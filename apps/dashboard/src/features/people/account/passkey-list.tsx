import { Button } from '../../../ui/button.tsx';
import { Cell, Row, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';

export interface Passkey {
  id: string;
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
}

const columns = [
  { label: 'Name' },
  { label: 'Added', extra: true },
  { label: 'Last used' },
  { label: 'Actions' },
];

export const PasskeyList = ({
  passkeys,
  onRemove,
}: {
  passkeys: readonly Passkey[];
  onRemove: (passkey: Passkey) => void;
}) => (
  <Table label="Passkeys" columns={columns}>
    {passkeys.map((passkey) => (
      <Row key={passkey.id}>
        <Cell clip>{passkey.name}</Cell>
        <Cell extra>
          <Moment at={passkey.addedAt} />
        </Cell>
        <Cell>{passkey.lastUsedAt === null ? 'Never' : <Moment at={passkey.lastUsedAt} />}</Cell>
        <Cell>
          <Button
            kind="quiet"
            small
            aria-label={`Remove the passkey ${passkey.name}`}
            onClick={() => onRemove(passkey)}
          >
            Remove
          </Button>
        </Cell>
      </Row>
    ))}
  </Table>
);
