"""Erasure leaves tombstones: what tells of a person becomes null, and triggers hold the form."""

import django.utils.timezone
import ratings.models
from django.db import migrations, models
from ratings.triggers import FUNCTION, append_only, erasable, of_the_living

VOTE = ["id", "trial_id", "session_id", "study_id", "clip_sha256", "stacks", "context", "position", "role", "kind", "kind_version"]
TRIAL = ["id", "session_id", "position", "stimulus_id", "role", "repeats_position", "kind", "kind_version"]
SESSION = ["id", "participant_id", "fielding_id", "claim", "state", "origin"]


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0006_control_answers'),
        ('studies', '0004_seats'),
    ]

    operations = [
        migrations.AddField(
            model_name='controlanswer',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='exclusion',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='participant',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='personanswers',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='play',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='session',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='trial',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='vote',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='exclusion',
            name='excluded_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='exclusion',
            name='rule',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AlterField(
            model_name='participant',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='personanswers',
            name='answered_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='personanswers',
            name='answers',
            field=models.JSONField(null=True),
        ),
        migrations.AlterField(
            model_name='play',
            name='events',
            field=models.JSONField(default=list, null=True),
        ),
        migrations.AlterField(
            model_name='play',
            name='received_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='play',
            name='replay',
            field=models.BooleanField(null=True),
        ),
        migrations.AlterField(
            model_name='play',
            name='started_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='consent_version',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='device_pixel_ratio',
            field=models.FloatField(null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='language',
            field=models.CharField(max_length=8, null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='lease_until',
            field=models.DateTimeField(db_index=True, null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='screen_height_px',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='screen_width_px',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='started_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='session',
            name='token_sha256',
            field=models.CharField(max_length=64, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='trial',
            name='clip_token',
            field=models.CharField(default=ratings.models.new_clip_token, max_length=64, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='trial',
            name='skipped',
            field=models.BooleanField(default=False, null=True),
        ),
        migrations.AlterField(
            model_name='vote',
            name='answer_ms',
            field=models.FloatField(null=True),
        ),
        migrations.AlterField(
            model_name='vote',
            name='answered_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='vote',
            name='data',
            field=models.JSONField(null=True),
        ),
        migrations.AlterField(
            model_name='vote',
            name='received_at',
            field=models.DateTimeField(default=django.utils.timezone.now, null=True),
        ),
        migrations.AlterField(
            model_name='vote',
            name='replays',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name='play',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', False), models.Q(('events__isnull', False), ('received_at__isnull', False), ('replay__isnull', False), ('started_at__isnull', False)), _connector='OR'), name='only_an_erased_play_is_empty'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', False), models.Q(('answer_ms__isnull', False), ('answered_at__isnull', False), ('data__isnull', False), ('received_at__isnull', False), ('replays__isnull', False)), _connector='OR'), name='only_an_erased_vote_is_empty'),
        ),
        # the planner's samples of a column hold its values, and outlive a row
        migrations.RunSQL("ALTER TABLE ratings_recruitment ALTER COLUMN recruiter_id SET STATISTICS 0;", migrations.RunSQL.noop),
        migrations.RunSQL(FUNCTION, migrations.RunSQL.noop),
        append_only('ratings_vote', VOTE),
        append_only('ratings_play', ["id", "trial_id"]),
        append_only('ratings_controlanswer', ["id", "session_id"]),
        append_only('ratings_exclusion', ["id", "session_id"]),
        erasable('ratings_participant', ["id"]),
        erasable('ratings_session', SESSION),
        erasable('ratings_personanswers', ["id", "session_id"]),
        erasable('ratings_trial', TRIAL),
        of_the_living('ratings_vote', 'ratings_trial', 'trial_id'),
        of_the_living('ratings_play', 'ratings_trial', 'trial_id'),
        of_the_living('ratings_personanswers', 'ratings_session', 'session_id'),
        of_the_living('ratings_controlanswer', 'ratings_session', 'session_id'),
        of_the_living('ratings_exclusion', 'ratings_session', 'session_id'),
    ]
