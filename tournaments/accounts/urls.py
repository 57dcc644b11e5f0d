"""URLs about accounts, in the namespace `admin`."""

from django.contrib import admin
from django.urls import path

from tournaments.accounts import views

urlpatterns = [
    path("account/", admin.site.admin_view(views.account), name="account"),
    path("api-tokens/", views.api_tokens, name="api-tokens"),
    path("users/", views.users, name="users"),
    path("users/invite/", views.invite, name="user-invite"),
    path("users/<int:user_id>/", views.user, name="user"),
    path("password/forgotten/", views.forgotten_password, name="password-forgotten"),
    path("password/<str:uidb64>/<str:token>/", views.set_password, name="password-set"),
    path("invitation/<str:uidb64>/<str:token>/", views.accept_invitation, name="invited"),
    path("passkeys/", views.passkeys, name="passkeys"),
    path("passkeys/<int:passkey_id>/remove/", views.remove_passkey, name="passkey-remove"),
    path("second-factor/", views.second_factor, name="second-factor"),
    path("second-factor/setup/", views.set_up_authenticator, name="second-factor-setup"),
    path("second-factor/backup-codes/", views.backup_codes, name="backup-codes"),
    path("second-factor/remove/", views.remove_authenticator, name="second-factor-remove"),
]
