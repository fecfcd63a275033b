import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { formatMinute } from '../../lib/format.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';
import { ZonedTimeField } from '../../ui/zoned-time-field.tsx';
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
        onSubmit={({ scheduledFor = '' }) => {
          // Without a date the request would send the campaign at once.
          setUnread(scheduledFor === '');
          if (scheduledFor !== '')
            schedule.mutate({ id: campaign.id, scheduledFor, acknowledge: gate.acknowledge });
        }}
      >
        {gate.notice}
        <ZonedTimeField
          name="scheduledFor"
          label="Date and time"
          defaultValue={suggested}
          what="Starts"
          ownZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
        <p className={styles.note}>
          The audience is locked at that time. Until then you can change or unschedule the campaign.
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

/** The API names no field for a time that it refuses. */
const atTime = (failure: Failure): Failure =>
  failure.message.startsWith('scheduledFor')
    ? { ...failure, fields: { scheduledFor: 'Choose a time in the future.' } }
    : failure;
