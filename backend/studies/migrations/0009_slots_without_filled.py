"""A slot is open or assigned; whether it is filled is told by the vote of its trial."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('studies', '0008_assignment_rows'),
    ]

    operations = [
        migrations.RunSQL("UPDATE studies_slot SET state = 'assigned' WHERE state = 'filled'", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='slot',
            name='state',
            field=models.CharField(choices=[('open', 'Open'), ('assigned', 'Assigned')], default='open', max_length=8),
        ),
    ]
