import type { ReactNode } from 'react';

import { PageHeading } from './PageHeading';

/** A page that only says something. */
export function Notice({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <section className="notice">
      <PageHeading>{title}</PageHeading>
      {children}
    </section>
  );
}
