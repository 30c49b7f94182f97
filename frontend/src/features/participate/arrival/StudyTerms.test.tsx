import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { StudyText } from '../../../shared/api/forms';
import { studyText } from '../../../test/records';
import { StudyTerms } from './StudyTerms';

function show(terms: Partial<StudyText>) {
  return render(
    <I18nProvider i18n={i18n}>
      <StudyTerms study={{ ...studyText, ...terms }} />
    </I18nProvider>,
  );
}

describe('the terms of a study', () => {
  it('are shown if the study has any', () => {
    show({
      ethics: { board: 'Board of Ethics', number: '7/2019' },
      retention: { months: 12, text: { en: 'Ten years.' } },
      pay: { amount: 2.5, currency: 'EUR' },
    });
    expect(screen.getByText('Who approved the study').nextSibling).toHaveTextContent('Board of Ethics, 7/2019');
    // the months are those of the recruiters' ids, and not said of the answers
    expect(screen.getByText('How long data is stored').nextSibling).toHaveTextContent(/^Ten years\.$/);
    expect(screen.getByText('What you get').nextSibling).toHaveTextContent('€2.50');
  });

  it('omit missing terms', () => {
    show({ ethics: { board: 'Board of Ethics', number: null }, retention: null });
    expect(screen.getAllByRole('term')).toHaveLength(1);
    expect(screen.getByRole('definition')).toHaveTextContent(/^Board of Ethics$/);
  });

  it('are not shown if the study has none', () => {
    expect(show({}).container).toBeEmptyDOMElement();
  });
});
