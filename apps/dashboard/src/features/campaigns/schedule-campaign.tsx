import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { formatMinute } from '../../lib/format.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';
import { ZonedTimeField } from '../../ui/zoned-time-field.tsx';
import { LocalTimeFields } from './local-time-fields.tsx';
import styles from './schedule-campaign.module.css';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';
import { useSendGate } from './use-send-gate.tsx';

const hourMs = 3_600_000;

/** Schedules the start of the campaign. */
export function useScheduleCampaign(campaign: Campaign): Action {
  const [open, setOpen] = useState(false);
  return {
    label: campaign.status === 'SCHEDULED' ? 'Change time' : 'Schedule',
    icon: 'clock',
    run: () => setOpen(true),
    dialog: open && <ScheduleDialog campaign={campaign} onClose={() => setOpen(false)} />,
  };
}

interface ScheduleDialogProps {
  campaign: Campaign;
  onClose: () => void;
  /** Called in place of `onClose` after it was scheduled. */
  onScheduled?: () => void;
}

export function ScheduleDialog({ campaign, onClose, onScheduled = onClose }: ScheduleDialogProps) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [isUnread, setUnread] = useState(false);
  // A pace sends in the order of the audience, and a test compares what is sent together, so that there is one start.
  const canBeLocal = campaign.pace === null && campaign.test === null;
  const [clocks, setClocks] = useState<'one' | 'each'>(canBeLocal && campaign.localTime ? 'each' : 'one');
  const schedule = useMutation({
    ...useApi().campaigns.send.mutationOptions(),
    async onSuccess({ scheduledFor }) {
      await refresh();
      onScheduled();
      announce(scheduledFor ? `Scheduled for ${formatMinute(scheduledFor)}` : 'Sending started');
    },
  });
  const gate = useSendGate(campaign, true);
  const refused = useFailure(schedule.error);
  const suggested = campaign.scheduledFor ? new Date(campaign.scheduledFor) : new Date(Date.now() + hourMs);
  return (
    <Dialog title={campaign.status === 'SCHEDULED' ? 'Change time' : 'Schedule campaign'} onClose={onClose}>
      <Form
        label="Schedule"
        failure={isUnread ? noInstant : refused && atTime(refused)}
        onSubmit={(values) => {
          const time = timeOf(values);
          // Without a time the request would send the campaign at once.
          setUnread(time === null);
          if (time !== null) schedule.mutate({ id: campaign.id, ...time, acknowledge: gate.acknowledge });
        }}
      >
        {gate.notice}
        {canBeLocal && (
          <ChoiceField
            name="clocks"
            label="Sent"
            options={[
              { value: 'one', label: 'To everyone at the same moment' },
              { value: 'each', label: 'At the local time of each contact' },
            ]}
            value={clocks}
            onChange={setClocks}
          />
        )}
        {clocks === 'each' ? (
          <LocalTimeFields localTime={campaign.localTime} />
        ) : (
          <ZonedTimeField
            name="scheduledFor"
            label="Date and time"
            defaultValue={suggested}
            what="Starts"
            ownZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
          />
        )}
        <p className={styles.note}>
          The audience is locked when it starts. Until then you can change or unschedule the campaign.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={!gate.isOpen}
            pending={schedule.isPending || gate.isChecking}
          >
            Schedule
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const noInstant: Failure = {
  message: 'This is not a time',
  code: 'VALIDATION_ERROR',
  suggestion: 'Correct the date, the time or the time zone.',
  requestId: null,
  fields: {},
  position: null,
};

/** The start that the form names; null when it is not readable. */
function timeOf({ scheduledFor = '', localTime = '', whenPassed }: FormValues) {
  if (localTime !== '')
    return { localTime, whenPassed: whenPassed === 'NOW' ? ('NOW' as const) : ('NEXT_DAY' as const) };
  return scheduledFor === '' ? null : { scheduledFor };
}

/** The API names no field for a time that it refuses. */
function atTime(failure: Failure): Failure {
  const field = (['scheduledFor', 'localTime'] as const).find((name) => failure.message.startsWith(name));
  return field ? { ...failure, fields: { [field]: 'Choose a time in the future.' } } : failure;
}
