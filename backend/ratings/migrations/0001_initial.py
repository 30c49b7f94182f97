"""Tables of sessions and votes, and the triggers that make rows append-only and erasable."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import ratings.models
import uuid
from django.db import migrations, models
from ratings.triggers import FUNCTIONS, append_only, erasable, of_the_living

VOTE = ["id", "trial_id", "session_id", "study_id", "clip_sha256", "stacks", "context", "position", "role", "kind", "kind_version"]
TRIAL = ["id", "session_id", "position", "stimulus_id", "role", "repeats_position", "kind", "kind_version"]
SESSION = ["id", "participant_id", "fielding_id", "number", "state", "origin"]


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='MissingId',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('parameter', models.CharField(max_length=64)),
                ('visits', models.PositiveIntegerField(default=0)),
                ('fielding', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.fielding')),
            ],
        ),
        migrations.CreateModel(
            name='PlayFailure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('browser', models.CharField(max_length=32)),
                ('fault', models.CharField(choices=[('undecodable', 'Undecodable'), ('damaged', 'Damaged'), ('gone', 'Gone')], max_length=16)),
                ('times', models.PositiveIntegerField(default=0)),
                ('fielding', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.fielding')),
                ('stimulus', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.stimulus')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('fielding', 'stimulus', 'browser', 'fault'), name='one_count_per_clip_browser_and_fault')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(null=True)),
                ('token_sha256', models.CharField(max_length=64, null=True, unique=True)),
                ('other_token_sha256', models.CharField(max_length=64, null=True, unique=True)),
                ('state', models.CharField(choices=[('started', 'Started'), ('completed', 'Completed'), ('restarted', 'Restarted')], default='started', max_length=16)),
                ('origin', models.CharField(choices=[('person', 'Person'), ('simulated', 'Simulated'), ('preview', 'Preview')], default='person', max_length=16)),
                ('preview', models.JSONField(blank=True, null=True)),
                ('language', models.CharField(max_length=8, null=True)),
                ('consent_version', models.CharField(max_length=64, null=True)),
                ('screen_width_px', models.PositiveIntegerField(null=True)),
                ('screen_height_px', models.PositiveIntegerField(null=True)),
                ('device_pixel_ratio', models.FloatField(null=True)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('completed_at', models.DateTimeField(blank=True, null=True)),
                ('to_judge_since', models.DateTimeField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('yields_at', models.DateTimeField(null=True)),
                ('completion_code', models.CharField(blank=True, max_length=16, null=True, unique=True)),
                ('unknown_parameters', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, null=True, size=None)),
                ('fielding', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='studies.fielding')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='ratings.participant')),
            ],
        ),
        migrations.CreateModel(
            name='PersonAnswers',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('answers', models.JSONField(null=True)),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='person', to='ratings.session')),
            ],
            options={
                'verbose_name_plural': 'person answers',
            },
        ),
        migrations.CreateModel(
            name='Exclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('rule', models.CharField(max_length=64, null=True)),
                ('excluded_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exclusions', to='ratings.session')),
            ],
        ),
        migrations.CreateModel(
            name='ControlAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('key', models.CharField(max_length=32, null=True)),
                ('choice', models.CharField(max_length=32, null=True)),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='control_answers', to='ratings.session')),
            ],
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('position', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('training', 'Training'), ('main', 'Main'), ('repeat', 'Repeat'), ('identical', 'Identical'), ('control', 'Control')], default='main', max_length=16)),
                ('repeats_position', models.PositiveIntegerField(blank=True, null=True)),
                ('kind', models.CharField(max_length=32)),
                ('kind_version', models.PositiveIntegerField()),
                ('clip_token', models.CharField(default=ratings.models.new_clip_token, max_length=64, null=True, unique=True)),
                ('clip_sent_at', models.DateTimeField(blank=True, null=True)),
                ('skipped', models.BooleanField(default=False, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='ratings.session')),
                ('slot', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='trial', to='studies.slot')),
                ('stimulus', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='studies.stimulus')),
            ],
            options={
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Play',
            fields=[
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('replay', models.BooleanField(null=True)),
                ('frames_presented', models.PositiveIntegerField(null=True)),
                ('frames_dropped', models.PositiveIntegerField(null=True)),
                ('evidence', models.JSONField(null=True)),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('trial', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='plays', to='ratings.trial')),
            ],
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('clip_sha256', models.CharField(max_length=64)),
                ('stacks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None)),
                ('context', models.CharField(max_length=32)),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=32)),
                ('kind_version', models.PositiveIntegerField()),
                ('data', models.JSONField(null=True)),
                ('role', models.CharField(choices=[('training', 'Training'), ('main', 'Main'), ('repeat', 'Repeat'), ('identical', 'Identical'), ('control', 'Control')], default='main', max_length=16)),
                ('previous_clip_sha256', models.CharField(max_length=64, null=True)),
                ('layout', models.CharField(choices=[('row', 'Row'), ('column', 'Column')], max_length=8, null=True)),
                ('replays', models.PositiveIntegerField(null=True)),
                ('answer_ms', models.FloatField(null=True)),
                ('media_ms', models.FloatField(null=True)),
                ('away', models.JSONField(null=True)),
                ('answered_at', models.DateTimeField(null=True)),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='ratings.session')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='votes', to='studies.study')),
                ('trial', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='vote', to='ratings.trial')),
            ],
        ),
        migrations.CreateModel(
            name='Recruitment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recruiter', models.CharField(max_length=64)),
                ('recruiter_id', models.CharField(max_length=128)),
                ('arrival', models.JSONField(default=dict)),
                ('participant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, to='ratings.participant')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='studies.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'recruiter', 'recruiter_id'), name='one_participant_per_recruit_and_study')],
            },
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['fielding', 'started_at', 'id'], include=('state', 'origin', 'erased_at'), name='sessions_by_start'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('state', 'started')), fields=['fielding', 'lease_until'], name='running_sessions'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('to_judge_since__isnull', False)), fields=['to_judge_since'], name='sessions_to_judge'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('unknown_parameters__isnull', False)), fields=['fielding'], name='sessions_of_unknown_links'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(fields=('fielding', 'origin', 'number'), name='one_session_per_origin_and_number'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('number__isnull', True), ('origin', 'preview'), ('preview__isnull', False)), models.Q(models.Q(('origin', 'preview'), _negated=True), ('number__isnull', False), ('preview__isnull', True)), _connector='OR'), name='previews_have_no_number'),
        ),
        migrations.AddConstraint(
            model_name='exclusion',
            constraint=models.UniqueConstraint(fields=('session', 'rule'), name='one_exclusion_per_rule'),
        ),
        migrations.AddConstraint(
            model_name='controlanswer',
            constraint=models.UniqueConstraint(fields=('session', 'key'), name='one_answer_per_control_question'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='one_trial_per_position'),
        ),
        migrations.AddConstraint(
            model_name='play',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', False), models.Q(('received_at__isnull', False), ('replay__isnull', False), ('started_at__isnull', False)), _connector='OR'), name='only_an_erased_play_is_empty'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(fields=['study', 'received_at'], name='ratings_vot_study_i_ed2534_idx'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', False), models.Q(('answer_ms__isnull', False), ('answered_at__isnull', False), ('data__isnull', False), ('received_at__isnull', False), ('replays__isnull', False)), _connector='OR'), name='only_an_erased_vote_is_empty'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'rate'), _negated=True), models.Q(('data__has_key', 'score'), ('data__score__in', [1, 2, 3, 4, 5, 6, 7])), _connector='OR'), name='rate_has_a_score_of_1_to_7'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'compare'), _negated=True), models.Q(('data__choice__in', ['left', 'right', 'none']), ('data__has_keys', ['choice', 'sureness']), ('data__sureness__in', [1, 2, 3, 4, 5])), _connector='OR'), name='compare_has_a_choice_and_sureness'),
        ),
        # the planner's samples of a column hold its values, and outlive a row
        migrations.RunSQL("ALTER TABLE ratings_recruitment ALTER COLUMN recruiter_id SET STATISTICS 0", migrations.RunSQL.noop),
        migrations.RunSQL("ALTER TABLE ratings_recruitment ALTER COLUMN arrival SET STATISTICS 0", migrations.RunSQL.noop),
        FUNCTIONS,
        append_only("ratings_vote", VOTE),
        append_only("ratings_play", ["id", "trial_id"]),
        append_only("ratings_controlanswer", ["id", "session_id"]),
        append_only("ratings_exclusion", ["id", "session_id"]),
        erasable("ratings_participant", ["id"]),
        erasable("ratings_session", SESSION),
        erasable("ratings_personanswers", ["id", "session_id"]),
        erasable("ratings_trial", TRIAL),
        of_the_living("ratings_vote", "ratings_trial", "trial_id"),
        of_the_living("ratings_play", "ratings_trial", "trial_id"),
        of_the_living("ratings_personanswers", "ratings_session", "session_id"),
        of_the_living("ratings_controlanswer", "ratings_session", "session_id"),
        of_the_living("ratings_exclusion", "ratings_session", "session_id"),
    ]
