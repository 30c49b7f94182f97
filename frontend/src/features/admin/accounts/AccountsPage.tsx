import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import { Fault, PageHeading, Wait } from '../../../shared/ui/page';
import { peopleKey } from '../keys';
import { PersonForm } from './PersonForm';
import { PersonRow } from './PersonRow';

export default function AccountsPage() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const people = useQuery({ queryKey: peopleKey, queryFn: () => answer(api.GET('/api/accounts')), staleTime: 0 });
  const refresh = () => void cache.invalidateQueries({ queryKey: peopleKey });
  return (
    <>
      <PageHeading>
        <Trans>Accounts</Trans>
      </PageHeading>
      <p className="prose">
        <Trans>Guests read what is shared with them. Researchers also publish studies. Admins see everything and manage accounts.</Trans>
      </p>
      {people.isPending && <Wait />}
      {people.isError && people.data === undefined && <Fault error={people.error} onRetry={() => void people.refetch()} />}
      <ul className="entries" aria-label={t`All accounts`}>
        {people.data?.map((person) => (
          <PersonRow key={person.username} person={person} onChanged={refresh} />
        ))}
      </ul>
      <PersonForm onMade={refresh} />
    </>
  );
}
