from django.db import migrations, models
from ratings.triggers import append_only, of_the_living


class Migration(migrations.Migration):
    dependencies = [("conformance", "0001_initial"), ("ratings", "0007_tombstones")]

    operations = [
        migrations.AddField("verdict", "erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
        append_only("conformance_verdict", ["id", "session_id"]),
        of_the_living("conformance_verdict", "ratings_session", "session_id"),
    ]
