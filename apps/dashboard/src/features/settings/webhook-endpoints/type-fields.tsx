import { webhookTypes } from '@postrider/core/base/event-types/contract';
import {
  everyType,
  typesOfFormat,
  type WebhookFormat,
} from '@postrider/core/insight/webhook-endpoints/contract';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField } from '../../../ui/field.tsx';
import { useFieldFailure } from '../../../ui/form.tsx';
import { takesSuggestion } from '../../../ui/suggest.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { typeField, typeNamed } from './endpoint-types.rules.ts';
import styles from './type-fields.module.css';
import { useNamedTypes } from './use-named-types.ts';

const fixed: readonly string[] = webhookTypes;

/** The types that a format has; names of the project are added to ours alone. */
const typesIn = (format: WebhookFormat): readonly string[] =>
  format === 'POSTRIDER' ? fixed : typesOfFormat[format];

interface TypeFieldsProps {
  /** the present ones */
  types: readonly string[];
  format: WebhookFormat;
}

/** The types of events that an endpoint receives: all, or those that are ticked. */
export function TypeFields({ types, format }: TypeFieldsProps) {
  const [scope, setScope] = useState(types.includes(everyType) ? 'all' : 'some');
  return (
    <>
      <SelectField
        name="scope"
        label="Events"
        value={scope}
        onChange={({ target }) => setScope(target.value)}
      >
        <option value="all">All types</option>
        <option value="some">Only selected types</option>
      </SelectField>
      {scope === 'some' && <TypePicker key={format} types={types} format={format} />}
    </>
  );
}

function TypePicker({ types, format }: TypeFieldsProps) {
  const failure = useFieldFailure('types');
  const [named, setNamed] = useState(() =>
    types.filter((type) => type !== everyType && !fixed.includes(type)),
  );
  return (
    <fieldset name="types" className={styles.types}>
      <legend>Types</legend>
      {failure && <p className={styles.failure}>{failure}</p>}
      <div className={styles.choices}>
        {[...typesIn(format), ...named].map((type) => (
          <CheckField
            key={type}
            name={typeField(type)}
            label={type}
            defaultChecked={types.includes(type) || named.includes(type)}
          />
        ))}
      </div>
      {format === 'POSTRIDER' && (
        <AddType onAdd={(type) => setNamed((now) => [...new Set([...now, type])])} />
      )}
    </fieldset>
  );
}

/** Adds a type by its name. Enter adds it too, instead of submitting the form around it. */
function AddType({ onAdd }: { onAdd: (type: string) => void }) {
  const suggestions = useNamedTypes();
  const [text, setText] = useState('');
  const add = () => {
    const type = typeNamed(text);
    if (type !== null && !fixed.includes(type)) onAdd(type);
    setText('');
  };
  return (
    <div className={styles.add}>
      <SuggestedField
        name="typeToAdd"
        label="Event of your project"
        value={text}
        suggestions={suggestions}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || takesSuggestion(event)) return;
          event.preventDefault();
          add();
        }}
      />
      <Button onClick={add}>Add</Button>
    </div>
  );
}
