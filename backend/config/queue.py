"""The queue between web and worker."""

from config.celery import app


def restore_unacknowledged() -> int:
    """Put tasks back that a killed worker had taken; returns how many.

    Without this they come back after the visibility timeout only. To be called before a worker starts: a task that
    another worker is at would be done twice, which our tasks allow.
    """
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as client:
            tags = client.zrange(channel.unacked_index_key, 0, -1)
            for tag in tags:
                channel.qos.restore_by_tag(tag.decode() if isinstance(tag, bytes) else tag, client)
    return len(tags)
