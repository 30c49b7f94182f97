import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../shared/api/client';
import { warningText } from './words';

const EVERY_MS = 5 * 60_000;

/** Warnings above every staff page that concern all researchers, such as a disk that will be full within a day. */
export function Announcements() {
  const announcements = useQuery({
    queryKey: ['announcements'],
    queryFn: () => answer(api.GET('/api/announcements')),
    refetchInterval: EVERY_MS,
  });
  if (announcements.data === undefined || announcements.data.length === 0) return null;
  return (
    <div role="alert">
      {announcements.data.map(({ code }) => (
        <p key={code} className="warning">
          {warningText(code)}
        </p>
      ))}
    </div>
  );
}
