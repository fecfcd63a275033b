import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { Combobox } from '../../ui/combobox.tsx';
import toolbar from '../../ui/toolbar.module.css';
import styles from './campaign-filter.module.css';

const all = { value: 'all', label: 'All' };
const found = 20;

interface CampaignFilterProps {
  /** the id of a campaign; empty for all */
  value: string;
  onChange: (value: string) => void;
}

/** A filter by one campaign, found by its name. Campaigns come with their content, so they are loaded when it is opened. */
export function CampaignFilter({ value, onChange }: CampaignFilterProps) {
  const id = useId();
  const { campaigns } = useApi();
  const [isOpened, setOpened] = useState(false);
  const [, setText, search] = useSearchText();
  const list = useQuery({
    ...campaigns.list.queryOptions({ pageSize: found, ...(search && { search }) }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({ ...campaigns.get.queryOptions({ id: value }), enabled: value !== '' });
  const options = (list.data?.data ?? []).map((campaign) => ({ value: campaign.id, label: campaign.name }));
  return (
    <span className={toolbar.filter}>
      <label htmlFor={id}>Campaign</label>
      <Combobox
        id={id}
        aria-label="Campaign"
        className={styles.choice}
        groups={[
          ...(search === '' ? [{ label: 'Any or none', options: [all] }] : []),
          { label: 'Campaigns', options },
        ]}
        value={value === '' ? all.value : value}
        text={value === '' ? all.label : (chosen.data?.name ?? 'One campaign')}
        placeholder={all.label}
        onSearch={(text) => {
          setOpened(true);
          setText(text);
        }}
        onChange={(next) => onChange(next === all.value ? '' : next)}
      />
    </span>
  );
}
