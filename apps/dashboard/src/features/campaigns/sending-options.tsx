import type { Campaign } from '../../lib/api.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Fold } from '../../ui/fold.tsx';
import { FieldRow, useFieldFailure } from '../../ui/form.tsx';
import { LinkTagFields } from './link-tag-fields.tsx';
import styles from './sending-options.module.css';
import { isUsual, type Options } from './sending-options.rules.ts';

/** How a campaign is sent where it is not as most are. Folded until one of them is chosen, or refused. */
export function SendingOptions({ start }: { start: Options & Pick<Campaign, 'utm'> }) {
  const failures = [
    useFieldFailure('holdout'),
    useFieldFailure('pace.perHour'),
    useFieldFailure('utm.campaign'),
  ];
  const isRefused = failures.some((failure) => failure !== undefined);
  return (
    <Fold
      keeps
      open={!isUsual(start)}
      mustShow={isRefused}
      summary={
        <>
          <span className={styles.title}>Sending options</span>
          <span className={styles.list}>Pace, hold-out, link tags, pausing, contact limits</span>
        </>
      }
      className={styles.options}
    >
      <div className={styles.fields}>
        <FieldRow>
          <TextField
            name="pace.perHour"
            label="Emails per hour"
            type="number"
            min={1}
            max={1_000_000}
            defaultValue={start.pace?.perHour ?? ''}
            placeholder="As many as the project may send"
            hint="To send it more slowly. Its emails then begin evenly, in the order of the audience."
          />
          <TextField
            name="holdout"
            label="Hold out, in percent"
            type="number"
            min={0}
            max={50}
            defaultValue={start.holdout === 0 ? '' : start.holdout}
            placeholder="None"
            hint="These contacts, drawn at random, get no email, so that you can compare what the others do."
          />
        </FieldRow>
        <LinkTagFields utm={start.utm} />
        <CheckField
          name="careful"
          label="Begin carefully"
          defaultChecked={start.pace?.careful ?? false}
          hint="200 emails first, then a tenth, then the others, with 15 minutes between them: time to see bounces and complaints."
        />
        <CheckField
          name="guard"
          label="Pause by itself"
          defaultChecked={start.guard}
          hint="When too many of its emails bounce, are marked as spam or lead to an opt-out. You are told by email, and decide whether it goes on."
        />
        <CheckField
          name="exemptFromLimits"
          label="Outside of the contact limits"
          defaultChecked={start.exemptFromLimits}
          hint="For what every recipient must get, whatever else they got: it is not held back by the limits of the project."
        />
      </div>
    </Fold>
  );
}
